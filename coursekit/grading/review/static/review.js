// Keyboard-first grading.  Nothing typed is lost: what is not saved yet is kept per answer in
// sessionStorage, and a save carries the version that was seen, so two graders can't overwrite
// each other unseen.
"use strict";

const $ = (id) => document.getElementById(id);
const exercises = JSON.parse(document.body.dataset.exercises);
let items = [];
let shown = [];
let current = null; // item that is open
let opened = null; // what the server said of it
let last = 0;
let busy = {};
let picked = false; // the grader has chosen what to see
let asked = false; // the question is unfolded
let turn = 0; // a slow answer must not overtake a later one

const key = () => `draft:${$("exercise").value}:${$("question").value}:${current}`;
const query = (more) =>
  new URLSearchParams({ exercise: $("exercise").value, question: $("question").value, ...more });

function say(text) {
  $("state").textContent = text;
}

async function ask(path, options) {
  try {
    const response = await fetch(path, options);
    if (response.ok || response.status === 409 || response.status === 400) {
      return { status: response.status, ...(await response.json()) };
    }
    say(await response.text());
  } catch {
    say("채점 서버에 닿지 않습니다. 쓴 것은 이 브라우저에 남아 있습니다.");
  }
  return null;
}

function question() {
  const chosen = exercises.find((e) => e.name === $("exercise").value);
  return chosen.questions.find((q) => q.name === $("question").value);
}

// free text waits for a person; what the engine graded is there to be looked through
function view() {
  if (!picked) $("filter").value = question()?.kind === "text" ? "todo" : "all";
}

function fillQuestions() {
  const chosen = exercises.find((e) => e.name === $("exercise").value);
  const texts = chosen.questions.filter((q) => q.kind === "text");
  $("question").replaceChildren(
    ...chosen.questions.map((q) => new Option(`${q.name} · ${q.title}`, q.name)),
  );
  if (texts.length) $("question").value = texts[0].name;
  view();
}

async function load() {
  const mine = ++turn;
  current = opened = null; // a key pressed while the list is on its way must not act on the old answer
  $("form").hidden = true;
  const found = await ask(`/queue?${query()}`);
  if (!found || mine !== turn) return;
  items = found.items;
  last = found.last;
  list();
  const first = following(-1) ?? shown[0];
  if (first) await open(first.item);
  else finished();
}

function wanted(entry) {
  const words = $("search").value.trim().normalize("NFC");
  if (words && !`${entry.item} ${entry.name}`.includes(words)) return false;
  const filter = $("filter").value;
  if (filter === "odd") return entry.stale || !["graded", "blank", "review"].includes(entry.status);
  if (filter === "wrong") return low(entry);
  // an empty text needs no reading; an answer that the engine graded needs none either
  if (filter === "todo") return !entry.done && (entry.status === "review" || entry.stale || entry.item === current);
  return true;
}

// the points that count now; null where that is open
function counted(entry) {
  return entry.given ?? (entry.status === "review" ? null : entry.auto);
}

function low(entry) {
  const now = counted(entry);
  return now !== null && now < question().points;
}

function label(entry, index) {
  return $("hide").checked ? `${index + 1}번` : `${entry.item} ${entry.name}`;
}

function list() {
  shown = items.filter(wanted);
  $("list").replaceChildren(
    ...shown.map((entry) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(label(entry, items.indexOf(entry)), document.createElement("span"));
      button.lastChild.className = "points";
      button.dataset.item = entry.item;
      const row = document.createElement("li");
      row.append(button);
      entry.button = button;
      mark(entry);
      return row;
    }),
  );
  count();
}

function mark(entry) {
  if (!entry.button) return;
  entry.button.classList.toggle("done", entry.done);
  entry.button.toggleAttribute("aria-current", entry.item === current);
  const box = entry.button.querySelector(".points");
  box.textContent = counted(entry) === null ? "–" : `${counted(entry)}점`;
  box.classList.toggle("low", low(entry));
}

function count() {
  if (question().kind === "text") {
    const all = items.filter((e) => e.done || e.status === "review");
    $("progress").textContent = `${all.filter((e) => e.done).length}/${all.length} 채점함`;
  } else {
    const given = items.filter((e) => e.given !== null).length;
    $("progress").textContent =
      `${items.length}개, 만점이 아닌 것 ${items.filter(low).length}개` + (given ? `, 사람이 정한 것 ${given}개` : "");
  }
}

// the next answer in the list that is still open and that nobody else reads
function following(from) {
  const rest = shown.slice(from + 1).concat(shown.slice(0, Math.max(from, 0)));
  const open = rest.filter((e) => $("filter").value !== "todo" || !e.done);
  return open.find((e) => !busy[e.item]) ?? open[0];
}

// what the others read now and have graded since
function hear(found) {
  last = found.last;
  busy = found.busy;
  for (const [name, points] of Object.entries(found.news)) {
    const entry = items.find((e) => e.item === name);
    if (!entry) continue;
    Object.assign(entry, { done: points !== null || entry.status !== "review", stale: false, given: points });
    mark(entry);
  }
}

async function open(item) {
  keep();
  const mine = ++turn;
  const found = await ask(`/answer?${query({ item, since: last })}`);
  if (!found || mine !== turn) return;
  const before = items.find((e) => e.item === current);
  current = item;
  opened = found;
  hear(found);
  if (before) mark(before);
  const entry = items.find((e) => e.item === item);
  if (entry) mark(entry);
  entry?.button?.scrollIntoView({ block: "nearest" });
  $("answer").innerHTML = found.html; // made by the server, where all that students wrote is escaped
  $("side").innerHTML = found.side;
  if ($("asked")) {
    $("asked").open = asked;
    $("asked").ontoggle = (event) => { asked = event.target.open; };
  }
  $("answer").scrollTop = 0;
  $("possible").textContent = found.possible;
  $("points").placeholder = question().kind === "code" ? (found.auto ?? "") : "";
  $("form").hidden = false;
  $("conflict").hidden = true;
  fill(found.manual);
  say(busy[item] ? `${busy[item]} 채점자도 이 답을 보고 있습니다.` : "");
  const draft = sessionStorage.getItem(key());
  if (draft) {
    const { points, comment } = JSON.parse(draft);
    $("points").value = points;
    $("comment").value = comment;
    say("저장하지 않은 글입니다.");
  }
  $("phrases").replaceChildren(
    ...found.phrases.map((text, index) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = `${index + 1}. ${text}`;
      button.dataset.phrase = text;
      const row = document.createElement("li");
      row.append(button);
      return row;
    }),
  );
  $("phrases-box").hidden = !found.phrases.length;
  count();
  document.activeElement?.blur();
}

function fill(manual) {
  $("points").value = manual?.points ?? "";
  $("comment").value = manual?.comment ?? "";
}

function changed() {
  const manual = opened?.manual;
  return $("points").value.trim() !== String(manual?.points ?? "") || $("comment").value !== (manual?.comment ?? "");
}

// remember what is typed and not saved
function keep() {
  if (current === null || !opened) return;
  const entry = items.find((e) => e.item === current);
  if (changed()) {
    sessionStorage.setItem(key(), JSON.stringify({ points: $("points").value, comment: $("comment").value }));
  } else {
    sessionStorage.removeItem(key());
  }
  entry?.button?.classList.toggle("draft", changed());
}

async function save() {
  const typed = $("points").value.trim().replace(",", ".");
  const points = typed === "" ? null : Number(typed);
  if (points !== null && !(points >= 0 && points <= opened.possible)) {
    say(`점수는 0부터 ${opened.possible}까지입니다.`);
    $("points").focus();
    return;
  }
  if (points === null && !$("comment").value.trim()) {
    say("점수나 할 말을 씁니다.");
    return;
  }
  const item = current;
  keep();
  const body = JSON.stringify({
    exercise: $("exercise").value, question: $("question").value, item, points,
    comment: $("comment").value, version: opened.manual?.version ?? 0, digest: opened.digest, since: last,
  });
  say("저장합니다");
  const found = await ask("/judge", { method: "POST", body });
  if (!found) return;
  if (found.status === 400) return say(found.message);
  if (found.status === 409) return conflict(found.current);
  sessionStorage.removeItem(key());
  opened.manual = found.manual;
  fill(found.manual); // the server trims what was typed
  hear(found);
  const entry = items.find((e) => e.item === item);
  Object.assign(entry, { done: points !== null || entry.status !== "review", stale: false, given: points });
  entry.button?.classList.remove("draft");
  mark(entry);
  count();
  const next = following(shown.indexOf(entry));
  if (next && next.item !== item) await open(next.item);
  else finished();
  if (current !== item) say("저장했습니다.");
}

function finished() {
  say("");
  $("state").textContent = "모두 채점했습니다.";
  if (current !== null) return;
  const why = {
    todo: question().kind === "text" ? "남은 답이 없습니다." : "자동으로 채점하는 문제라 사람이 채점할 것이 없습니다.",
    wrong: "만점이 아닌 답이 없습니다.", odd: "살펴볼 답이 없습니다.", all: "제출물이 없습니다.",
  };
  $("answer").textContent = `${why[$("filter").value]} ${$("filter").value === "all" ? "" : "'보기'를 '모두'로 바꾸면 볼 수 있습니다."}`;
}

function conflict(theirs) {
  const box = $("conflict");
  const text = theirs
    ? `${theirs.grader} 채점자가 먼저 저장했습니다: ${theirs.points ?? "점수 없음"}점 "${theirs.comment}". `
    : "다른 채점자가 먼저 바꾸었습니다. ";
  const mine = document.createElement("button");
  mine.type = "button";
  mine.id = "keep-mine";
  mine.textContent = "내 것으로 저장";
  mine.onclick = () => {
    opened.manual = theirs;
    box.hidden = true;
    save();
  };
  const other = document.createElement("button");
  other.type = "button";
  other.id = "take-theirs";
  other.textContent = "상대의 것을 쓰기";
  other.onclick = () => {
    sessionStorage.removeItem(key());
    opened.manual = theirs;
    fill(theirs);
    box.hidden = true;
    const entry = items.find((e) => e.item === current);
    Object.assign(entry, { done: true, stale: false, given: theirs?.points ?? null });
    mark(entry);
    count();
    say("상대의 점수를 두었습니다.");
  };
  box.replaceChildren(text, mine, " ", other);
  box.hidden = false;
  say("저장하지 않았습니다. 둘 가운데 고릅니다.");
  mine.focus();
}

function phrase(text) {
  const box = $("comment");
  box.value = box.value.trim() ? `${box.value.trimEnd()}\n${text}` : text;
  keep();
}

function step(by) {
  const at = shown.findIndex((e) => e.item === current);
  const next = shown[at + by];
  if (next) open(next.item);
}

document.addEventListener("keydown", (event) => {
  if (event.isComposing || $("help").open) return;
  const typing = event.target.matches("textarea, input:not([type=checkbox])");
  const digit = /^(?:Digit|Numpad)([0-9])$/.exec(event.code)?.[1];
  if (event.altKey && digit) {
    const button = $("phrases").querySelectorAll("button")[Number(digit) - 1];
    if (button) phrase(button.dataset.phrase);
    event.preventDefault();
    return;
  }
  if (event.code === "Escape") return event.target.blur();
  const enter = event.code === "Enter" || event.code === "NumpadEnter";
  if (enter && event.target.id === "search") {
    event.target.blur();
    if (shown[0]) open(shown[0].item);
    return;
  }
  if (enter && (event.ctrlKey || event.metaKey || event.target.id === "points" || event.target === document.body)) {
    event.preventDefault();
    if (opened) save();
    return;
  }
  if (typing || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("select")) return;
  // the place of the key, not its letter: with a Korean layout J is ㅓ
  const actions = {
    KeyJ: () => step(1), ArrowDown: () => step(1), KeyK: () => step(-1), ArrowUp: () => step(-1),
    KeyM: () => full(), KeyC: () => $("comment").focus(),
    KeyA: () => { if (opened?.auto != null) { $("points").value = opened.auto; keep(); } },
    KeyN: () => $("hide").click(),
    Slash: () => (event.shiftKey || event.key === "?" ? $("help").showModal() : $("search").focus()),
  };
  if (digit && opened) {
    $("points").value = digit;
    keep();
    $("points").focus();
  } else if (actions[event.code]) {
    actions[event.code]();
  } else {
    return;
  }
  event.preventDefault();
});

function full() {
  if (!opened) return;
  $("points").value = opened.possible;
  keep();
}

function names() {
  document.body.classList.toggle("hidden-names", $("hide").checked);
  localStorage.setItem("hide", $("hide").checked ? "1" : "");
  list();
}

$("form").addEventListener("submit", (event) => { event.preventDefault(); save(); });
$("form").addEventListener("input", keep);
$("full").addEventListener("click", full);
$("list").addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button) open(button.dataset.item);
});
$("phrases").addEventListener("click", (event) => event.target.dataset.phrase && phrase(event.target.dataset.phrase));
$("search").addEventListener("input", list);
$("filter").addEventListener("change", () => { picked = true; keep(); load(); });
$("question").addEventListener("change", () => { view(); load(); });
$("exercise").addEventListener("change", () => { fillQuestions(); load(); });
$("hide").addEventListener("change", names);
$("help-button").addEventListener("click", () => $("help").showModal());
$("close-help").addEventListener("click", () => $("help").close());
window.addEventListener("beforeunload", keep);

if (exercises.length) {
  fillQuestions();
  $("hide").checked = Boolean(localStorage.getItem("hide"));
  names();
  load();
}
