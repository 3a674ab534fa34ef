/* The search box of the theme's dialog and of the search page, as a combobox with results.
 *
 * The engine and the index are fetched when somebody turns to search, never before.
 */
"use strict";
(() => {
  const root = document.documentElement.dataset.content_root || "./";
  const NEWLINE = " ⏎ "; // a search box holds one line; this keeps the lines of a pasted text apart

  let loading = null;
  function engine() {
    loading ??= ["_static/search-engine.js", "search-index.js"]
      .reduce((before, path) => before.then(() => script(root + path)), Promise.resolve())
      .then(() => {
        CourseSearch.load(window.courseSearchIndex);
        return CourseSearch;
      });
    return loading;
  }

  function script(address) {
    return new Promise((resolve, reject) => {
      const element = document.createElement("script");
      element.src = address; // also works for a book opened from a folder
      element.onload = resolve;
      element.onerror = () => reject(new Error(address));
      document.head.append(element);
    });
  }

  const element = (tag, properties = {}, children = []) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  };

  const marked = (pieces) =>
    pieces.map((piece, index) => (index % 2 ? element("mark", { textContent: piece }) : piece));

  function attach(form, number) {
    const input = form.querySelector("input[name=q]");
    const inDialog = Boolean(form.closest("dialog"));
    const limit = inDialog ? 8 : 30;
    const list = element("div", { id: `course-results-${number}`, className: "course-results" });
    const status = element("p", { className: "course-status" });
    list.setAttribute("role", "listbox");
    list.setAttribute("aria-label", "검색 결과");
    list.hidden = true;
    status.setAttribute("role", "status");
    form.after(status, list);
    const attributes = {
      role: "combobox",
      "aria-autocomplete": "list",
      "aria-controls": list.id,
      "aria-expanded": "false",
    };
    for (const [name, value] of Object.entries(attributes)) input.setAttribute(name, value);

    let active = -1;
    const options = () => [...list.querySelectorAll("[role=option]")];

    function choose(index) {
      const all = options();
      all[active]?.setAttribute("aria-selected", "false");
      active = all.length ? (index + all.length) % all.length : -1;
      const chosen = all[active];
      if (chosen) {
        chosen.setAttribute("aria-selected", "true");
        chosen.scrollIntoView({ block: "nearest" });
        input.setAttribute("aria-activedescendant", chosen.id);
      } else input.removeAttribute("aria-activedescendant");
    }

    function option(search, result, query, index) {
      const above = [result.pageTitle, result.trail].filter(Boolean).join(" › ");
      const made = element(
        "a",
        {
          id: `${list.id}-${index}`,
          href: `${root}${result.page}.html${result.anchor ? "#" + result.anchor : ""}`,
          className: "course-result",
          tabIndex: -1,
        },
        [
          element("span", { className: "course-result-title" }, marked(search.mark(result.title, query))),
          ...(result.anchor ? [element("span", { className: "course-result-place", textContent: above })] : []),
          element("span", { className: "course-result-text" }, marked(search.snippet(result.section, query))),
        ],
      );
      made.setAttribute("role", "option");
      made.setAttribute("aria-selected", "false");
      return made;
    }

    let latest = 0;
    async function show() {
      const query = input.value.trim();
      const turn = ++latest;
      let search;
      try {
        search = await engine();
      } catch {
        loading = null;
        status.textContent = "검색 파일을 읽지 못했습니다. 페이지를 다시 열어 보세요.";
        return;
      }
      if (turn !== latest) return; // something else was typed meanwhile
      const results = query ? search.search(query, limit) : [];
      list.replaceChildren(...results.map((result, index) => option(search, result, query, index)));
      list.hidden = !results.length;
      input.setAttribute("aria-expanded", String(results.length > 0));
      active = -1; // nothing is chosen yet
      input.removeAttribute("aria-activedescendant");
      status.textContent = !query
        ? ""
        : results.length
          ? inDialog
            ? `${results.length}개를 찾았습니다. ↑↓로 고르고 Enter로 엽니다.`
            : `${results.length}개를 찾았습니다.`
          : "찾지 못했습니다. 다른 말로 바꾸어 보세요.";
    }

    // `input` also fires for every step of a syllable being composed
    input.addEventListener("input", show);
    input.addEventListener("focus", () => engine().catch(() => {}), { once: true });
    input.addEventListener("paste", (event) => {
      const text = event.clipboardData?.getData("text") || "";
      if (!/\n/.test(text.trim())) return;
      event.preventDefault();
      input.setRangeText(
        text.trim().slice(0, 6000).replace(/\s*\n\s*/g, NEWLINE),
        input.selectionStart,
        input.selectionEnd,
        "end",
      );
      show();
    });
    input.addEventListener("keydown", (event) => {
      if (event.isComposing) return; // these keys belong to the input method
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step && options().length) {
        event.preventDefault();
        choose(active < 0 && step < 0 ? -1 : active + step);
      } else if (event.key === "Enter" && active >= 0) {
        event.preventDefault();
        options()[active].click();
      }
    });
    // a result on the page that is open only moves the scroll position
    list.addEventListener("click", (event) => {
      if (event.target.closest("a")) form.closest("dialog")?.close();
    });
    form.addEventListener("submit", (event) => {
      if (inDialog) return; // goes to the search page
      event.preventDefault();
      history.replaceState(null, "", `?q=${encodeURIComponent(input.value)}`);
      show();
    });

    if (!inDialog) {
      input.value = new URLSearchParams(location.search).get("q") || "";
      input.focus();
      if (input.value) show();
    }
  }

  document.querySelectorAll("form.bd-search").forEach(attach);
})();
