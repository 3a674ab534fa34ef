/* Search in Korean: an index of character bigrams, ranked by BM25 with weighted fields.
 *
 * Works on window.courseSearchIndex (search-index.js), in a browser or in node. Bigrams need
 * no analyser: 자동미분 and 자동 미분 share all of theirs, and a particle adds only one more.
 */
"use strict";
var CourseSearch = (() => {
  const FIELDS = [
    // [column of a section's row, weight, share of the length it adds]
    [2, 3.5, 1], // title
    [3, 1.6, 0.5], // headings above
    [4, 1, 1], // prose
    [5, 0.7, 0.4], // names in code
    [6, 0.8, 0.4], // messages of outputs
    [7, 1, 0.3], // what readers call it
  ];
  const PAGE_TITLE = 0.3;
  const CLOSING = new Set(["정리", "평가 기준", "연습", "더 읽을거리", "돌아보기"]);
  const K1 = 1.5;
  const B = 0.35;
  const SYNONYM = 0.715;
  const UNKNOWN = 1.3; // the same, for a word that the book never writes
  const COVERED = 0.6; // share of the score that depends on how much of the query is there
  const CLOSING_PART = 0.45;
  const TOP = 0.85; // a page's own top: it names what the sections below explain
  // the best few are looked at again, as words: HEAD of them, and what each finding is worth
  const HEAD = 30;
  const WORDS = 0.3; // the words of the query are there
  const TOGETHER = 0.7; // they are in one paragraph
  const IN_TITLE = 0.6; // the title has what is asked for
  const TITLE_ASKED = 1; // the title has nothing else
  const SUFFIX = 0.15; // weight of the bigrams that hold a particle or an ending
  const LIMIT = 6000; // characters of a query that are read
  const TOKEN = /[가-힣]+|[A-Za-z_][\w]*(?:\.[A-Za-z_]\w*)*|\d+(?:\.\d+)*/g;
  // endings and particles, the longest first; what stands before them carries the meaning
  const ENDINGS = (
    "하는방법 하는법 이랑 밖에 만큼 하다가 해야 되지 아야 어야 아서 어서 아도 어도 았는데 었는데 졌어요 니까 으려면 으려고 려면 려고 했더니 었더니 았더니 더니 했는데요 했는데 하는데 되는데 되나요 하나요 인가요 는데요 는가요 할까요 " +
    "될까요 됩니다 합니다 습니다 입니다 되었다 되어요 해도 하면 하려면 하기 하고 해서 해요 하지 " +
    "되면 되기 되고 돼서 돼요 된다 한다 했다 하는 되는 이라는 라는 에서는 에서도 으로는 에게서 " +
    "에서 에게 으로 부터 까지 처럼 보다 마다 이나 이란 이면 라면 에는 에도 와는 과는 은데 는데 " +
    "인데 어요 아요 나요 네요 은 는 이 가 을 를 에 의 도 로 와 과 랑 만 란 나 요"
  ).split(" ");
  const PARTICLES = new Set(ENDINGS);
  const FILLER = new Set(
    (
      "왜 어떻게 어디서 어디 언제 얼마 얼마나 무엇 뭐 싶을 싶은데 그냥 너무 정말 갑자기 뭔가요 무엇인가요 방법 하는법 이유 까닭 때 것 좀 안 못 그냥 자꾸 계속 " +
      "법 때문에 밖에 잠깐 혹시 경우 제대로 이렇게 할까 될까 인가요 싶어요 나와요 나옵니다 나요 떠요 뜹니다 돼요 됩니다 되나요 안돼요 안됨 해결 해결법 문제 오류 에러 " +
      "차이 차이점 비교 사용 사용법 쓰는 쓰는법 하는 하고 싶어요 알려줘 궁금 같은 있는 없는 있나요 " +
      "the a an of in to is are how why what with for and or not does do when my i it"
    ).split(" "),
  );

  const nfc = (text) => text.normalize("NFC");
  const hangul = (token) => token[0] >= "가" && token[0] <= "힣";

  /** Singular and plain form of an English word, so that `gradients` finds `gradient`. */
  const stem = (word) =>
    word.length > 4 && /[a-z]s$/.test(word) && !/(ss|us|is)$/.test(word)
      ? word.slice(0, -1)
      : word.length > 6 && word.endsWith("ing")
        ? word.slice(0, -3)
        : word.length > 5 && word.endsWith("ed")
          ? word.slice(0, -2)
          : word;

  /** The pieces of a name: jax.lax.scan → whole, jax, lax, scan; also by _ and CamelCase. */
  function namePieces(token) {
    const pieces = new Map([[token.toLowerCase(), 1]]);
    const add = (piece, weight) => {
      const key = stem(piece.toLowerCase());
      if (key.length > 1 && !pieces.has(key)) pieces.set(key, weight);
    };
    for (const part of token.split(".")) {
      add(part, 0.9);
      const words = part.split(/_+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/);
      if (words.length > 1) words.forEach((word) => add(word, 0.45));
    }
    return pieces;
  }

  const stemLength = (word) => {
    for (const ending of ENDINGS)
      if (word.length > ending.length && word.endsWith(ending)) return word.length - ending.length;
    return word.length;
  };

  /** Calls visit(feature, weight, word number) for everything in `text` that can match. */
  function features(text, visit, asQuery) {
    let previous = null; // the Hangul word directly before, for compounds written apart
    let latinEnd = -1;
    let number = 0;
    for (const match of text.matchAll(TOKEN)) {
      const token = match[0];
      if (hangul(token)) {
        // after a name in Latin letters a particle stands alone: numpy보다, jit하면
        const particle = asQuery && match.index === latinEnd && PARTICLES.has(token);
        const meaning = particle ? 0 : asQuery ? stemLength(token) : token.length;
        // verbs keep their first syllable through every ending: 막는, 막으려면
        if (!particle) visit("^" + token[0], asQuery ? (meaning === 1 ? 0.7 : 0.12) : 1, number);
        for (let i = 0; i + 1 < token.length; i++)
          visit(token.slice(i, i + 2), i + 2 <= meaning ? 1 : SUFFIX, number);
        if (previous && previous.end + 1 === match.index && text[previous.end] === " ")
          visit(previous.last + token[0], asQuery ? 0.3 : 1, number);
        previous = { end: match.index + token.length, last: token[token.length - 1] };
      } else {
        for (const [piece, weight] of namePieces(token))
          visit(piece, asQuery ? weight : 1, number);
        latinEnd = match.index + token.length;
        previous = null;
      }
      number++;
    }
  }

  let data = null;
  let postings = null; // feature → [section, tf, section, tf, …]
  let norms = null;
  let rarities = null; // feature → its idf
  let titles = null; // section → features of its title
  let paragraphs = null; // section → its paragraphs without spaces, made when first needed
  let names = null; // sorted Latin features, for names that are typed in part or wrongly
  let synonyms = null; // [{forms: [{text, compact, features}]}]

  const compact = (text) => nfc(text).toLowerCase().replace(/[\s\-_]+/g, "");

  /** The features of a term as in a query: feature → weight. */
  function asFeatures(text) {
    const own = new Map();
    features(text, (f, w) => own.set(f, Math.max(own.get(f) || 0, w)), true);
    return own;
  }

  /** Build the index; a few hundred milliseconds at most, done once when search is first used. */
  function load(index) {
    data = index;
    postings = new Map();
    const lengths = new Float64Array(data.sections.length);
    data.sections.forEach((row, section) => {
      const counts = new Map();
      const collect = (text, weight, share) => {
        let size = 0;
        features(text, (feature) => {
          counts.set(feature, (counts.get(feature) || 0) + weight);
          size++;
        });
        lengths[section] += size * share;
      };
      for (const [column, weight, share] of FIELDS) collect(row[column], weight, share);
      if (row[1]) collect(data.pages[row[0]][1], PAGE_TITLE, 0);
      for (const [feature, count] of counts) {
        const list = postings.get(feature);
        if (list) list.push(section, count);
        else postings.set(feature, [section, count]);
      }
    });
    const mean = lengths.reduce((a, b) => a + b, 0) / lengths.length || 1;
    norms = lengths.map((length) => K1 * (1 - B + (B * Math.max(length, mean * 0.25)) / mean));
    rarities = new Map();
    for (const [feature, list] of postings) {
      const n = list.length / 2;
      rarities.set(feature, Math.log(1 + (data.sections.length - n + 0.5) / (n + 0.5)));
    }
    titles = data.sections.map((row) =>
      [...asFeatures(nfc(row[2]))].filter(([feature]) => feature[0] !== "^"),
    );
    paragraphs = new Array(data.sections.length);
    names = [...postings.keys()].filter((key) => /^[a-z_]/.test(key)).sort();
    synonyms = (data.synonyms || []).map((forms) =>
      forms.map((text) => {
        const form = { text, compact: compact(text), own: asFeatures(nfc(text)) };
        if (!/[가-힣]/.test(text)) {
          // in Latin letters a word is a whole one, in plural, or with a Korean ending
          const escaped = text.toLowerCase().replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
          form.latin = new RegExp(` ${escaped}s? |[ .]${escaped}(?=[가-힣])`);
        }
        return form;
      }),
    );
  }

  /** What is worth searching in a pasted traceback: the error's own line, then the user's code. */
  function distil(query) {
    const lines = query.split(/\r?\n|\s*⏎\s*/).map((line) => line.trim());
    if (lines.length < 3 && !/Traceback \(most recent/.test(query)) return [[query, 1]];
    const noise =
      /^(Traceback|File "|[-=~^*\s]+$|During handling|The above exception|For simplicity|The stack trace below|JaxStackTraceBeforeTransformation|The preceding stack trace|See https?:|https?:|\.\.\.$|Cell In)/;
    const error = /^(?:[\w.]+\.)?(\w*(?:Error|Exception|Warning|Interrupt))\b:?(.*)$/;
    const parts = [];
    let seen = false;
    for (const line of lines) {
      if (!line || noise.test(line)) continue;
      const found = line.match(error);
      const text = line
        .replace(/(?:\/|[A-Z]:\\)[^\s:"']+/g, " ")
        .replace(/\b(?:0x[0-9a-f]+|line \d+|ipykernel_\w+)\b|<ipython[^>]*>/gi, " ");
      if (found) {
        parts.push([`${found[1]} ${text.slice(text.indexOf(found[1]) + found[1].length)}`, 1]);
        seen = true;
      } else parts.push([text, seen ? 0.35 : 0.12]);
    }
    return parts.length ? parts : [[query, 1]];
  }

  function within(word, other) {
    // edit distance of at most one, or two neighbours swapped
    if (Math.abs(word.length - other.length) > 1) return false;
    let i = 0;
    while (i < word.length && word[i] === other[i]) i++;
    let j = 0;
    while (
      j < Math.min(word.length, other.length) - i &&
      word[word.length - 1 - j] === other[other.length - 1 - j]
    )
      j++;
    const a = word.slice(i, word.length - j);
    const b = other.slice(i, other.length - j);
    return Math.max(a.length, b.length) <= 1 || (a.length === 2 && a === b[1] + b[0]);
  }

  /** Known names for one that is not in the book: those it begins, else those one slip away. */
  function alternatives(word) {
    if (word.length < 3) return [];
    let low = 0;
    let high = names.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (names[middle] < word) low = middle + 1;
      else high = middle;
    }
    const found = [];
    for (; low < names.length && names[low].startsWith(word) && found.length < 8; low++)
      found.push(names[low]);
    if (found.length || word.length < 5) return found;
    return names.filter((name) => within(word, name)).slice(0, 4);
  }

  const idf = (feature) => rarities.get(feature) ?? Math.log(1 + 2 * (data.sections.length + 0.5));

  /** Features of a query with their weights, and groups of other words for what it names. */
  function plan(query) {
    const wanted = new Map();
    const add = (feature, weight) =>
      wanted.set(feature, Math.max(wanted.get(feature) || 0, weight));
    for (const [part, strength] of distil(query)) {
      const words = [...part.matchAll(TOKEN)].map((match) => match[0]);
      features(
        part,
        (feature, weight, number) => {
          const word = words[number];
          const filler = word && FILLER.has(word.toLowerCase());
          const value = strength * weight * (filler ? 0.15 : 1);
          if (!postings.has(feature) && /^[a-z_]/.test(feature) && !filler)
            alternatives(feature).forEach((name) => add(name, value * 0.7));
          if (value) add(feature, value);
        },
        true,
      );
      // one syllable typed so far: everything that begins with it
      const only = part.trim();
      if (/^[가-힣]$/.test(only))
        for (const key of postings.keys())
          if (key.length === 2 && key[0] === only) add(key, strength * 0.5);
    }
    const groups = [];
    const flat = compact(query.slice(0, LIMIT));
    const spaced = " " + nfc(query).toLowerCase().replace(/[^a-z0-9가-힣_.]+/g, " ") + " ";
    const hits = [];
    for (const forms of synonyms) {
      let hit = null;
      for (const form of forms) {
        const there = form.latin
          ? form.latin.test(spaced)
          : form.compact.length > 1
            ? flat.includes(form.compact)
            : spaced.includes(" " + form.compact + " ");
        if (there && form.compact.length > (hit?.compact.length || 0)) hit = form;
      }
      if (hit) hits.push([hit, forms]);
    }
    for (const [hit, forms] of hits) {
      // 재컴파일 is not asking for 컴파일
      const inLonger = ([other]) =>
        other.compact.length > hit.compact.length && other.compact.includes(hit.compact);
      if (hits.some(inLonger)) continue;
      const others = forms.filter((form) => form !== hit);
      // a word that the book never writes says less than the one it writes instead
      const unknown = [...hit.own.keys()].some((f) => f[0] !== "^" && !postings.has(f));
      if (unknown)
        for (const feature of hit.own.keys())
          if (wanted.has(feature)) wanted.set(feature, wanted.get(feature) * 0.35);
      groups.push({
        forms: others.map((form) => [...form.own]),
        weight: unknown ? UNKNOWN : SYNONYM,
      });
    }
    return { wanted, groups };
  }

  /** What a query asks for, word by word: [{forms, weight}], the forms without spaces. */
  function concepts(query) {
    const found = new Map();
    for (const [part, strength] of distil(query)) {
      if (strength < 0.3) continue;
      for (const [token] of part.matchAll(TOKEN)) {
        if (FILLER.has(token.toLowerCase()) || PARTICLES.has(token)) continue;
        const key = compact(hangul(token) ? token.slice(0, stemLength(token)) : token);
        if (key.length < 2 || found.has(key)) continue;
        let rarity = 0;
        let count = 0;
        for (const [feature, weight] of asFeatures(key))
          if (feature[0] !== "^" && weight >= 0.9) {
            rarity += Math.min(idf(feature), 6);
            count++;
          }
        if (count) found.set(key, { forms: [key], weight: (strength * rarity) / count });
        if (found.size >= 24) break;
      }
    }
    const flat = compact(query);
    for (const forms of synonyms) {
      const hit = forms.find((form) => form.compact.length > 1 && flat.includes(form.compact));
      if (!hit) continue;
      for (const [key, concept] of found)
        if (hit.compact.startsWith(key) || key.startsWith(hit.compact))
          concept.forms.push(...forms.map((form) => form.compact));
    }
    return [...found.values()];
  }

  /** Shares of the concepts that a section holds at all, and within one paragraph. */
  function held(section, asked) {
    const row = data.sections[section];
    paragraphs[section] ||= [
      `${row[2]} ${row[3]}`,
      ...row[4].split("\n"),
      row[5],
      ...row[6].split("\n"),
      row[7],
    ].map(compact);
    const each = new Float64Array(paragraphs[section].length);
    let total = 0;
    let any = 0;
    for (const { forms, weight } of asked) {
      let hit = false;
      paragraphs[section].forEach((text, i) => {
        if (!forms.some((form) => text.includes(form))) return;
        each[i] += weight;
        hit = true;
      });
      total += weight;
      if (hit) any += weight;
    }
    return total ? [any / total, Math.max(...each) / total] : [1, 1];
  }

  /** Of the other words for one thing, the one that fits a section best counts, once. */
  function addSynonyms({ forms, weight: strength }, wanted, scores, covered) {
    const best = new Map();
    for (const form of forms) {
      const own = new Map();
      for (const [feature, weight] of form) {
        if ((wanted.get(feature) || 0) >= weight * strength) continue;
        const list = postings.get(feature) || [];
        const value = strength * weight * idf(feature);
        for (let i = 0; i < list.length; i += 2) {
          const section = list[i];
          const gain = (value * list[i + 1] * (K1 + 1)) / (list[i + 1] + norms[section]);
          const sums = own.get(section);
          if (sums) {
            sums[0] += gain;
            sums[1] += value;
          } else own.set(section, [gain, value]);
        }
      }
      for (const [section, sums] of own)
        if (sums[0] > (best.get(section)?.[0] || 0)) best.set(section, sums);
    }
    for (const [section, [gain, value]] of best) {
      scores[section] += gain;
      covered[section] += value;
    }
  }

  /** Order the first results again by whole words, paragraphs and titles. */
  function lookAgain(head, query, { wanted, groups }, total) {
    const asked = concepts(query);
    const all = new Map(wanted);
    for (const { forms, weight } of groups)
      for (const form of forms)
        for (const [feature, own] of form)
          all.set(feature, Math.max(all.get(feature) || 0, own * weight));
    for (const result of head) {
      const [any, together] = held(result[1], asked);
      const [, , weight] = data.pages[data.sections[result[1]][0]];
      let mass = 0;
      let common = 0;
      let answered = 0;
      for (const [feature, own] of titles[result[1]]) {
        const ask = all.get(feature) || 0;
        mass += own * idf(feature);
        common += own * idf(feature) * Math.min(1, ask);
        answered += ask * idf(feature);
      }
      result[0] *=
        (1 - WORDS + WORDS * any) *
        (1 + TOGETHER * together) *
        (1 +
          weight * IN_TITLE * (total ? Math.min(1, answered / total) : 0) +
          weight * TITLE_ASKED * (mass ? common / mass : 0));
    }
    return head.sort((a, b) => b[0] - a[0] || a[1] - b[1]);
  }

  /** Sections for `query`, best first: [{section, page, anchor, title, trail, score}]. */
  function search(query, limit = 20) {
    if (!data) return [];
    query = nfc(query).slice(0, LIMIT);
    const { wanted, groups } = plan(query);
    if (!wanted.size) return [];
    const scores = new Float64Array(data.sections.length);
    const covered = new Float64Array(data.sections.length);
    let total = 0;
    for (const [feature, weight] of wanted) {
      const rarity = idf(feature);
      const value = weight * rarity;
      const list = postings.get(feature) || [];
      total += value;
      for (let i = 0; i < list.length; i += 2) {
        const section = list[i];
        const tf = list[i + 1];
        scores[section] += (value * tf * (K1 + 1)) / (tf + norms[section]);
        covered[section] += value;
      }
    }
    for (const group of groups) addSynonyms(group, wanted, scores, covered);
    const title = compact(query);
    const results = [];
    for (let section = 0; section < scores.length; section++) {
      if (!scores[section]) continue;
      const row = data.sections[section];
      const page = data.pages[row[0]];
      const share = Math.min(1, covered[section] / total);
      let score = scores[section] * (1 - COVERED + COVERED * share) * page[2];
      if (CLOSING.has(row[2])) score *= CLOSING_PART; // they repeat what a section above explains
      const own = compact(row[2]);
      if (own === title) score *= 1.6;
      else {
        if (title.length > 2 && own.includes(title)) score *= 1.2;
        if (!row[1]) score *= TOP;
      }
      results.push([score, section]);
    }
    results.sort((a, b) => b[0] - a[0] || a[1] - b[1]);
    const head = results.slice(0, HEAD);
    results.splice(0, head.length, ...lookAgain(head, query, { wanted, groups }, total));
    return results.slice(0, limit).map(([score, section]) => {
      const row = data.sections[section];
      return {
        section,
        score,
        page: data.pages[row[0]][0],
        pageTitle: data.pages[row[0]][1],
        anchor: row[1],
        title: row[2],
        trail: row[3],
      };
    });
  }

  /** The words of a query that a reader would want marked, longest first. */
  function marks(query) {
    const words = new Set();
    const add = (text) => text.length > 1 && words.add(text);
    for (const [part, strength] of distil(nfc(query).slice(0, LIMIT)))
      if (strength >= 0.3)
        for (const [token] of part.matchAll(TOKEN)) {
          if (FILLER.has(token.toLowerCase())) continue;
          add(hangul(token) ? token.slice(0, Math.max(2, stemLength(token))) : token);
        }
    const flat = compact(query);
    for (const forms of synonyms || [])
      if (forms.some((form) => form.compact.length > 1 && flat.includes(form.compact)))
        forms.forEach((form) => add(form.text));
    return [...words].sort((a, b) => b.length - a.length).slice(0, 24);
  }

  /** A pattern that finds the marks in a text, spaced or joined; null if there is nothing. */
  function pattern(query) {
    const escape = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    const forms = marks(query).map((word) =>
      /^[가-힣]+$/.test(word) ? [...word].map(escape).join(" ?") : escape(word),
    );
    return forms.length ? new RegExp(forms.join("|"), "gi") : null;
  }

  /** [before, hit, between, hit, …]: the stretch of a section that holds most of the query. */
  function snippet(section, query, size = 110) {
    const row = data.sections[section];
    const text = [row[4], row[6]].filter(Boolean).join("\n");
    const regex = pattern(query);
    if (!text) return [];
    const hits = regex ? [...text.matchAll(regex)] : [];
    let start = 0;
    let best = -1;
    for (const hit of hits) {
      const from = Math.max(0, hit.index - 24);
      const inside = new Set(
        hits.filter((h) => h.index >= from && h.index < from + size).map((h) => h[0].toLowerCase()),
      );
      const value = [...inside].reduce((sum, word) => sum + Math.min(word.length, 12), 0);
      if (value > best) [best, start] = [value, from];
    }
    if (start) {
      const space = text.slice(start, start + 24).search(/\s/);
      if (space >= 0) start += space + 1;
    }
    const part = text.slice(start, start + size).replace(/\s+/g, " ");
    const pieces = mark(part, query);
    if (start) pieces[0] = "… " + pieces[0];
    if (start + size < text.length) pieces[pieces.length - 1] += " …";
    return pieces;
  }

  /** Split `text` at what the query marks: odd places are hits. */
  function mark(text, query) {
    const regex = pattern(query);
    if (!regex) return [text];
    const pieces = [];
    let at = 0;
    for (const hit of text.matchAll(regex)) {
      pieces.push(text.slice(at, hit.index), hit[0]);
      at = hit.index + hit[0].length;
    }
    pieces.push(text.slice(at));
    return pieces;
  }

  return { load, search, snippet, mark, distil, ready: () => data !== null };
})();
if (typeof module !== "undefined") module.exports = CourseSearch;
