#!/usr/bin/env bash
# Browser tests need a browser, grading needs bubblewrap. Ubuntu 24.04 keeps user namespaces
# from programs without an AppArmor profile, so bwrap gets one.
set -euo pipefail
sudo apt-get update -qq
sudo apt-get install -y -qq bubblewrap
if [ -d /etc/apparmor.d ]; then
  sudo tee /etc/apparmor.d/bwrap >/dev/null <<'PROFILE'
abi <abi/4.0>,
include <tunables/global>
profile bwrap /usr/bin/bwrap flags=(unconfined) {
  userns,
}
PROFILE
  sudo apparmor_parser -r /etc/apparmor.d/bwrap
fi
command -v google-chrome chromium || { echo "브라우저가 없습니다"; exit 1; }
