/* What has been read, kept in this browser only: how far, how long, where to go on. */
"use strict";
(() => {
  const KEY = "course-reading";
  const root = document.documentElement.dataset.content_root || "./";
  const strip = document.querySelector(".course-strip");
  if (!strip) return;

  function read() {
    try {
      return JSON.parse(localStorage.getItem(KEY)) || {};
    } catch {
      return {}; // storage is forbidden, or somebody else's value stands there
    }
  }
  function write(all) {
    try {
      localStorage.setItem(KEY, JSON.stringify(all));
    } catch {
      /* then nothing is remembered */
    }
  }

  const here = new URL(location.href);
  const base = new URL(root, here).pathname;
  const name = decodeURI(here.pathname.slice(base.length)).replace(/\.html$/, "");
  const isChapter = /^(chapters|exercises)\//.test(name);
  const article = document.querySelector("article.bd-article");
  const headings = [...article.querySelectorAll("section[id] > :is(h2, h3)")];

  const percent = (part) => `${Math.round(100 * part)} %`;
  const minutes = (seconds) => (seconds < 60 ? "1분 미만" : `${Math.round(seconds / 60)}분`);

  /** The heading last passed, as {id, title}. */
  function place() {
    const passed = headings.filter((h) => h.getBoundingClientRect().top < innerHeight * 0.4).pop();
    if (!passed) return null;
    const copy = passed.cloneNode(true);
    copy.querySelectorAll(".headerlink").forEach((link) => link.remove());
    return { id: passed.parentElement.id, title: copy.textContent.trim() };
  }

  let forgotten = false; // what was forgotten here stays so until the page is opened again

  function tell(entry) {
    const line = strip.querySelector(".course-progress");
    line.hidden = false;
    line.textContent = `이 쪽을 ${percent(entry.far)}까지 읽었고, 머문 시간은 ${minutes(entry.seconds)}입니다. `;
    const forget = document.createElement("button");
    forget.type = "button";
    forget.className = "course-forget";
    forget.textContent = "읽은 기록 지우기";
    forget.onclick = () => {
      write({});
      forgotten = true;
      line.hidden = true;
    };
    line.append(forget);
  }

  if (isChapter) {
    let unsaved = 0;
    const note = () => {
      if (forgotten) return;
      const all = read();
      const box = article.getBoundingClientRect();
      const far = Math.min(1, Math.max(0, (innerHeight - box.top) / box.height));
      const entry = all[name] || { far: 0, seconds: 0 };
      entry.far = Math.max(entry.far, far);
      entry.seconds += unsaved;
      unsaved = 0;
      entry.at = Date.now();
      entry.place = place() || entry.place || null;
      entry.title = document.querySelector("h1").firstChild.textContent;
      all[name] = entry;
      write(all);
      tell(entry);
    };
    if (read()[name]) tell(read()[name]);
    let waiting = null;
    addEventListener("scroll", () => (waiting ??= setTimeout(() => ((waiting = null), note()), 500)), {
      passive: true,
    });
    setInterval(() => document.visibilityState === "visible" && (unsaved += 5), 5000);
    addEventListener("pagehide", () => unsaved && note());
  }

  // the page that opens the book says where reading stopped
  const go = document.querySelector(".course-continue");
  const last = Object.entries(read()).sort((a, b) => b[1].at - a[1].at)[0];
  if (go && last) {
    const [page, entry] = last;
    const link = document.createElement("a");
    link.href = `${root}${page}.html${entry.place ? "#" + entry.place.id : ""}`;
    link.textContent = `이어서 읽기: ${entry.title}${entry.place ? " › " + entry.place.title : ""}`;
    go.append(link, ` (${percent(entry.far)})`);
    go.hidden = false;
  }

  // a book that was unpacked in a folder has been downloaded already, and holds no copy of itself
  if (location.protocol === "file:") strip.querySelector(".course-downloads").hidden = true;

  const stuck = strip.querySelector(".course-stuck");
  stuck?.addEventListener("click", () => {
    const where = place();
    if (where) {
      const address = new URL(stuck.href);
      const body = address.searchParams.get("body").replace("절: ", `절: ${where.title}`);
      address.searchParams.set("body", body);
      stuck.href = address.href;
    }
  });

  // a menu over the page has done its work once it has led somewhere on it
  document.addEventListener("click", (event) =>
    event.target.closest("dialog[open] a[href^='#']")?.closest("dialog").close(),
  );

  // a sheet of paper cannot be unfolded
  addEventListener("beforeprint", () =>
    article.querySelectorAll("details:not([open])").forEach((folded) => (folded.open = true)),
  );
})();
