// Compares two rows of a suite as embodibench's scoring/paired.py does: the mean of paired differences and a t-interval,
// whose quantile comes with the data. A row is [id, player, agent, date, digest, units], units digits or lists.
"use strict";
(() => {
  const MOST = 100; // options that a list shows; the filter finds the others
  const all = window.EMBODIBENCH || {};
  const [form, suite] = [document.querySelector(".pickers"), document.getElementById("suite")];
  const [outcome, table] = [document.getElementById("outcome"), document.getElementById("units")];
  const sides = ["first", "second"].map((name) => ({
    list: document.getElementById(name),
    filter: document.getElementById(`${name}-filter`),
    count: document.getElementById(`${name}-count`),
    id: "",
  }));

  function make(tag, className, text) {
    const element = document.createElement(tag);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
  }

  const numbers = (units) => (typeof units === "string" ? [...units].map(Number) : units);
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const data = () => all[`pairs-${suite.value}`];
  const label = (row) => `${row[1]}${row[2] === row[1] ? "" : ` · ${row[2]}`} · ${row[3]} · ${row[0].slice(0, 8)}`;
  const fixed = (value) => (value > 0 ? "+" : "") + value.toFixed(2).replace(/^-(0\.00)$/, "$1");

  // The paired difference: {value, low, high} or {value, none}, and how many units either is ahead on.
  function paired(how, first, second) {
    const trials = how.planned || first.map(() => 1);
    const differences = first.map((value, index) => value / trials[index] - second[index] / trials[index]);
    const count = differences.length;
    const value = mean(differences);
    const ahead = differences.filter((difference) => difference > 0).length;
    const behind = differences.filter((difference) => difference < 0).length;
    const found = { value, ahead, behind, level: count - ahead - behind };
    if (count < how.minUnits || ahead + behind < how.minDiffering) {
      return { ...found, none: `${count} units, of which ${ahead + behind} differ: too few for an interval` };
    }
    if (differences.every((difference) => difference === differences[0])) {
      return { ...found, none: `all ${count} differences are equal, so their spread is unknown` };
    }
    const squares = differences.map((difference) => (difference - value) ** 2);
    const deviation = Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / (count - 1));
    const half = (how.quantile * deviation) / Math.sqrt(count);
    const bound = how.bound === null ? Infinity : how.bound;
    return { ...found, low: Math.min(Math.max(value - half, -bound), value), high: Math.max(Math.min(value + half, bound), value) };
  }

  function verdict(found) {
    if (found.none) return `No interval, so nothing is said about a difference: ${found.none}.`;
    if (found.low > 0) return "The first row is higher.";
    return found.high < 0 ? "The second row is higher." : "Not called different: the interval holds zero.";
  }

  function box(how, found) {
    const part = make("div", "box");
    part.append(make("h2", "", how.title));
    const line = make("p", "difference", "First minus second");
    const points = how.planned ? "percentage points" : "percent";
    const figure = make("span", "big", `${fixed(how.scale * found.value)} ${points}`);
    if (!found.none) {
      figure.append(" ", make("span", "interval", `[${fixed(how.scale * found.low)}, ${fixed(how.scale * found.high)}]`));
      Object.assign(part.dataset, { low: found.low, high: found.high });
    }
    part.dataset.value = found.value;
    line.append(figure);
    const where = `First ahead on ${found.ahead}, second on ${found.behind}, level on ${found.level}.`;
    part.append(line, make("p", "", verdict(found)), make("p", "muted small", where));
    return part;
  }

  function unitTable(how, first, second, names) {
    const region = make("div", "scroll");
    region.tabIndex = 0;
    region.setAttribute("role", "group");
    region.setAttribute("aria-label", `${how.title}, one by one`);
    const grid = make("table");
    grid.append(make("caption", "sr", `${how.title}: what each row reached on each unit`));
    const head = grid.createTHead().insertRow();
    for (const name of ["Unit", ...names]) {
      const cell = make("th", "", name);
      cell.scope = "col";
      head.append(cell);
    }
    const body = grid.createTBody();
    how.units.forEach((name, index) => {
      const line = body.insertRow();
      const cell = make("th", "", name);
      cell.scope = "row";
      line.append(cell);
      const shown = (value) => (how.planned ? `${value} of ${how.planned[index]}` : `${value.toFixed(1)} %`);
      const winner = Math.sign(first[index] - second[index]);
      line.append(make("td", winner > 0 ? "passed" : "", shown(first[index])));
      line.append(make("td", winner < 0 ? "passed" : "", shown(second[index])));
    });
    region.append(grid);
    const details = make("details");
    details.append(make("summary", "", `${how.title}, one by one`), region);
    return details;
  }

  function show() {
    const found = data();
    const rows = sides.map((side) => found.rows.find((row) => row[0] === side.id));
    const chosen = sides.map((side) => side.id);
    history.replaceState(null, "", `#${[suite.value, ...chosen].filter(Boolean).join("/")}`);
    outcome.replaceChildren();
    table.replaceChildren();
    if (!found.comparisons.length) return outcome.append(make("p", "", "Runs of games are not paired; see their scores one by one."));
    if (!rows[0] || !rows[1]) return outcome.append(make("p", "muted", found.rows.length < 2 ? "This suite has fewer than two rows." : "Choose two rows."));
    if (rows[0][4] !== rows[1][4]) return outcome.append(make("p", "", "These rows were played on other contents of the suite; they are not compared."));
    outcome.append(make("p", "", `${label(rows[0])}  against  ${label(rows[1])}`));
    const boxes = make("div", "two");
    found.comparisons.forEach((how, index) => {
      const [first, second] = rows.map((row) => numbers(row[5][index]));
      boxes.append(box(how, paired(how, first, second)));
      table.append(unitTable(how, first, second, rows.map((row) => row[1])));
    });
    return outcome.append(boxes);
  }

  function fill(side) {
    const words = side.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = data().rows.filter((row) => words.every((word) => label(row).toLowerCase().includes(word)));
    const options = fits.slice(0, MOST);
    const chosen = data().rows.find((row) => row[0] === side.id);
    if (chosen && !options.includes(chosen)) options.unshift(chosen);
    side.list.replaceChildren(...options.map((row) => new Option(label(row), row[0], false, row[0] === side.id)));
    side.count.textContent = `${Math.min(fits.length, MOST)} of ${fits.length.toLocaleString("en-US")} rows listed`;
  }

  // Where nothing is chosen, the rows that stand first are, so that there is something to see.
  function preset() {
    if (!data().comparisons.length) return;
    for (const side of sides) {
      const free = data().rows.find((row) => sides.every((other) => other.id !== row[0]));
      if (!side.id && free) side.id = free[0];
    }
  }

  const parts = decodeURIComponent(location.hash.slice(1)).split("/");
  const fullest = [...suite.options].find((option) => all[`pairs-${option.value}`].rows.length > 1) || suite.options[0];
  suite.value = all[`pairs-${parts[0]}`] ? parts[0] : fullest.value;
  sides.forEach((side, index) => {
    side.id = parts[index + 1] || "";
    side.filter.addEventListener("input", () => fill(side));
    side.list.addEventListener("change", () => {
      side.id = side.list.value;
      show();
    });
  });
  suite.addEventListener("change", () => {
    for (const side of sides) [side.id, side.filter.value] = ["", ""];
    preset();
    sides.forEach(fill);
    show();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  preset();
  sides.forEach(fill);
  show();
})();
