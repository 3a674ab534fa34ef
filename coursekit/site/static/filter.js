/* A box that hides the rows of a page's tables that lack the typed words. */
"use strict";
(() => {
  const place = document.querySelector(".filter-table");
  if (!place) return;
  const rows = [...document.querySelectorAll("article.bd-article tbody tr")];
  const texts = rows.map((row) => row.textContent.normalize("NFC").toLowerCase());
  const label = document.createElement("label");
  label.textContent = place.dataset.filter;
  const input = document.createElement("input");
  input.type = "search";
  const count = document.createElement("output");
  label.append(input);
  place.append(label, count);

  input.addEventListener("input", () => {
    const words = input.value.normalize("NFC").toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((row, i) => {
      row.hidden = !words.every((word) => texts[i].includes(word));
      shown += !row.hidden;
    });
    count.textContent = words.length ? `${rows.length}줄 가운데 ${shown}줄` : "";
    for (const section of document.querySelectorAll("article.bd-article section section")) {
      section.hidden = !section.querySelector("tbody tr:not([hidden])") && words.length > 0;
    }
  });
})();
