// Shows the actions of an episode when asked to; they come from a file of their own, so that the page stays light.
"use strict";
(() => {
  const table = document.querySelector("table[data-episodes]");
  const key = `row-${table.dataset.key}`;
  let loading = null;

  function load() {
    if (!loading) {
      loading = new Promise((resolve, reject) => {
        const script = document.createElement("script");
        script.src = table.dataset.episodes;
        script.onload = () => resolve(window.EMBODIBENCH[key]);
        script.onerror = reject;
        document.head.append(script);
      });
    }
    return loading;
  }

  function paragraph(text) {
    const element = document.createElement("p");
    element.textContent = text;
    return element;
  }

  // What the player saw: files, texts that stand for them, and captions.
  function strip(pictures) {
    const found = document.createElement("div");
    found.className = "strip";
    for (const [file, alt, caption] of pictures) {
      const figure = document.createElement("figure");
      const image = new Image();
      Object.assign(image, { alt, width: 192, height: 192, src: `../pictures/${file}` });
      const below = document.createElement("figcaption");
      below.textContent = caption;
      figure.append(image, below);
      found.append(figure);
    }
    return found;
  }

  // Runs of actions, as "0x12 1", in words: "forward ×12, turn right".
  function words(runs, names) {
    if (!runs) return "no action was taken";
    const parts = runs.split(" ").map((run) => {
      const [place, count] = run.split("x");
      return names[place] + (count ? ` ×${count}` : "");
    });
    return parts.join(", ");
  }

  async function toggle(button) {
    const line = button.closest("tr");
    const open = button.getAttribute("aria-expanded") === "true";
    button.setAttribute("aria-expanded", String(!open));
    button.firstChild.textContent = open ? "Show" : "Hide";
    if (open) return line.nextElementSibling.remove();
    const below = document.createElement("tr");
    below.className = "actions";
    const cell = below.insertCell();
    cell.colSpan = line.cells.length;
    line.after(below);
    try {
      const data = await load();
      const [runs, notes, pictures] = data.episodes[Number(button.dataset.index)];
      if (pictures) cell.append(strip(pictures));
      cell.append(...notes.map(paragraph), paragraph(words(runs, data.actions)));
    } catch {
      cell.append(paragraph("The file with the actions could not be read."));
    }
    return undefined;
  }

  const [controls, filter, outcome] = ["#episodes .controls", "[data-filter]", "[data-outcome]"].map((place) => document.querySelector(place));
  const status = document.querySelector("[data-status]");
  const lines = [...table.tBodies[0].rows];
  const texts = lines.map((line) => [...line.cells].slice(0, -1).map((cell) => cell.textContent).join(" ").toLowerCase());

  // Hides the episodes that do not fit; those whose actions are open are closed first.
  function choose() {
    for (const button of table.querySelectorAll("button[aria-expanded=true]")) toggle(button);
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    lines.forEach((line, index) => {
      const fits = words.every((word) => texts[index].includes(word)) && ["", line.cells[3].textContent].includes(outcome.value);
      line.hidden = !fits;
      shown += Number(fits);
    });
    status.textContent = shown === lines.length ? "" : `${shown} of ${lines.length} episodes`;
  }

  filter.addEventListener("input", choose);
  outcome.addEventListener("change", choose);
  controls.hidden = false;
  for (const button of table.querySelectorAll("button.open")) {
    button.hidden = false;
    button.addEventListener("click", () => toggle(button));
  }
})();
