class TorchNet(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(1, 8, 3, stride=2, padding=1, bias=False)
        self.norm = torch.nn.BatchNorm2d(8)
        self.head = torch.nn.Linear(128, 10)

    def forward(self, x):
        x = torch.relu(self.norm(self.conv(x)))
        return self.head(x.flatten(1))
