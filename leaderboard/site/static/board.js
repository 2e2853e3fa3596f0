// Sorts, filters and pages a suite's table. The first rows stand in the page; the data come from data/board-*.js:
// a row is [id, group, player, agent, figures, trust, cost, tokens, invalid, version, date], ready to be shown.
// Texts come from strangers: they are set as text nodes, never as markup.
"use strict";
(() => {
  const TRUST = ["self-reported", "replayed", "re-run"];
  const FIELDS = { player: 2, trust: 5, cost: 6, tokens: 7, invalid: 8, version: 9, date: 10 };
  const SVG = "http://www.w3.org/2000/svg";

  function make(tag, className, text) {
    const element = document.createElement(tag);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
  }

  function drawing(tag, attributes) {
    const element = document.createElementNS(SVG, tag);
    for (const name in attributes) element.setAttribute(name, attributes[name]);
    return element;
  }

  function whisker(figure) {
    const at = (text) => Math.min(100, Math.max(0, parseFloat(text)));
    const svg = drawing("svg", { class: "whisker", viewBox: "0 0 100 10", "aria-hidden": "true", focusable: "false" });
    svg.append(drawing("path", { class: "axis", d: "M0 5H100" }));
    if (figure.length > 1) svg.append(drawing("path", { class: "range", d: `M${at(figure[1])} 5H${at(figure[2])}` }));
    svg.append(drawing("circle", { cx: at(figure[0]), cy: 5, r: 3 }));
    return svg;
  }

  function figureCell(figure, main) {
    if (!figure) {
      const cell = make("td", "figure none");
      cell.append(make("span", "muted", "–"));
      return cell;
    }
    const cell = make("td", "figure");
    cell.append(make("span", "value", figure[0]));
    if (figure.length > 1) cell.append(" ", make("span", "interval", `[${figure[1]}, ${figure[2]}]`));
    if (main) cell.append(whisker(figure));
    return cell;
  }

  function rowOf(row, mains) {
    const line = make("tr");
    const head = make("th");
    head.scope = "row";
    const link = make("a", "", row[2]);
    link.href = `rows/${encodeURIComponent(row[0])}.html`;
    head.append(link);
    if (row[3]) head.append(" ", make("span", "agent", row[3]));
    line.append(head, ...row[4].map((figure, index) => figureCell(figure, mains[index])));
    const trust = make("td");
    trust.append(make("span", `trust trust-${row[5]}`, TRUST[row[5]]));
    line.append(
      trust,
      make("td", "number", row[6] ? `$${row[6]}` : "–"),
      make("td", "number", row[7] === null ? "–" : row[7].toLocaleString("en-US")),
      make("td", "number", row[8] ? `${row[8]} %` : "–"),
      make("td", "nowrap", row[9]),
      make("td", "nowrap", row[10]),
    );
    return line;
  }

  // The value to sort by: a number, a text, or null where there is none.
  function value(row, key) {
    const found = key in FIELDS ? row[FIELDS[key]] : row[4][key] && row[4][key][0];
    if (found === null || found === "") return null;
    return ["player", "version", "date"].includes(key) ? String(found).toLowerCase() : Number(found);
  }

  function ordered(rows, key, direction) {
    const keyed = rows.map((row, index) => ({ row, index, value: key === null ? null : value(row, key) }));
    keyed.sort((a, b) => {
      if (a.row[1] !== b.row[1]) return a.row[1] - b.row[1];
      if (key === null || a.value === b.value) return a.index - b.index;
      if (a.value === null || b.value === null) return a.value === null ? 1 : -1;
      return (a.value < b.value ? -1 : 1) * direction;
    });
    return keyed.map((entry) => entry.row);
  }

  function start(section) {
    const data = (window.EMBODIBENCH || {})[`board-${section.dataset.board}`];
    if (!data || !data.rows.length) return;
    const size = Number(section.dataset.page);
    const body = section.querySelector("tbody.rows");
    const heads = [...section.querySelectorAll("thead th")];
    const [filter, trust] = [section.querySelector("[data-filter]"), section.querySelector("[data-trust]")];
    const pager = section.querySelector(".pager");
    const status = section.querySelector("[data-status]");
    const steps = [...pager.querySelectorAll("button")];
    let [key, direction, page, shown] = [null, -1, 0, data.rows];

    function draw() {
      const lines = [];
      let group = null;
      for (const row of shown.slice(page * size, (page + 1) * size)) {
        if (row[1] !== group) {
          group = row[1];
          const line = make("tr", "group");
          const head = make("th", "", data.groups[group]);
          head.colSpan = heads.length;
          head.scope = "rowgroup";
          line.append(head);
          lines.push(line);
        }
        lines.push(rowOf(row, data.mains));
      }
      body.replaceChildren(...lines);
      say();
    }

    function say() {
      const last = Math.min(shown.length, (page + 1) * size);
      const of = shown.length.toLocaleString("en-US");
      status.textContent = shown.length ? `Rows ${page * size + 1} to ${last} of ${of}` : "No row fits the filter";
      steps[0].disabled = page === 0;
      steps[1].disabled = last >= shown.length;
    }

    function choose() {
      const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
      const least = Number(trust.value);
      const fits = (row) => {
        const text = `${row[2]} ${row[3]} ${row[9]} ${row[10]}`.toLowerCase();
        return row[5] >= least && words.every((word) => text.includes(word));
      };
      shown = ordered(data.rows.filter(fits), key, direction);
      page = 0;
      draw();
    }

    for (const head of heads) {
      const button = make("button", "", head.textContent);
      button.type = "button";
      button.title = head.title;
      button.addEventListener("click", () => {
        const first = ["player", "cost", "tokens", "invalid"].includes(head.dataset.key) ? 1 : -1;
        direction = key === head.dataset.key ? -direction : first;
        key = head.dataset.key;
        for (const other of heads) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
        choose();
      });
      head.replaceChildren(button);
      head.removeAttribute("title");
    }
    heads[1].setAttribute("aria-sort", "descending");
    [key, direction] = ["0", -1];
    filter.addEventListener("input", choose);
    trust.addEventListener("change", choose);
    for (const step of steps) {
      step.addEventListener("click", () => {
        page += Number(step.dataset.step);
        draw();
      });
    }
    section.querySelector(".controls").hidden = false;
    pager.hidden = false;
    say();
  }

  document.querySelectorAll("section[data-board]").forEach(start);
})();
