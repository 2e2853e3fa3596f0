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
      const [runs, notes] = data.episodes[Number(button.dataset.index)];
      cell.append(...notes.map(paragraph), paragraph(words(runs, data.actions)));
    } catch {
      cell.append(paragraph("The file with the actions could not be read."));
    }
    return undefined;
  }

  for (const button of table.querySelectorAll("button.open")) {
    button.hidden = false;
    button.addEventListener("click", () => toggle(button));
  }
})();
