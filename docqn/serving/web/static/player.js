// Steps through the way to an answer: the outline, the text and the bar show one step at a time.
(() => {
  const PACE = 1100; // milliseconds a step

  function start(root) {
    if (root.dataset.started) return;
    root.dataset.started = "yes";
    const panels = [...root.querySelectorAll("[data-panel]")];
    const lines = [...root.querySelectorAll("[data-steps]")];
    const stretches = [...root.querySelectorAll("rect[data-step]")];
    const range = root.querySelector("input[type=range]");
    const where = root.querySelector("output");
    const play = root.querySelector("[data-to=play]");
    const read = root.querySelector("[data-read]");
    const whole = read && read.textContent;
    const last = panels.length;
    let now = last;
    let timer = 0;

    function show(step, follow = true) {
      now = Math.min(Math.max(step, 1), last);
      panels.forEach((panel, i) => (panel.hidden = i !== now - 1));
      stretches.forEach((part) => part.classList.toggle("later", Number(part.dataset.step) > now));
      stretches.forEach((part) => part.classList.toggle("now", Number(part.dataset.step) === now));
      for (const line of lines) {
        const steps = line.dataset.steps.split(" ").map(Number);
        line.classList.toggle("seen", steps.some((n) => n <= now));
        line.classList.toggle("current", steps.includes(now));
        if (steps.includes(now)) line.setAttribute("aria-current", "step");
        else line.removeAttribute("aria-current");
        if (follow && steps.includes(now)) bring(line);
      }
      const told = panels[now - 1].dataset;
      where.textContent = `Step ${now} of ${last}: ${told.told}`;
      range.value = now;
      range.setAttribute("aria-valuetext", where.textContent);
      if (read) {
        const share = ((100 * told.readTokens) / Math.max(told.tokens, 1)).toFixed(1);
        const count = Number(told.tokens).toLocaleString("en");
        read.textContent = now === last ? whole : `read ${share} % of ${count} tokens in ${now} of ${last} steps`;
      }
      for (const name of ["first", "previous"]) root.querySelector(`[data-to=${name}]`).disabled = now === 1;
      for (const name of ["next", "last"]) root.querySelector(`[data-to=${name}]`).disabled = now === last;
    }

    function bring(line) {
      const box = line.closest(".side");
      if (!box || box.scrollHeight <= box.clientHeight) return;
      const gentle = !matchMedia("(prefers-reduced-motion: reduce)").matches;
      const top = line.offsetTop - box.clientHeight / 2;
      box.scrollTo({ top, behavior: gentle ? "smooth" : "auto" });
    }

    function mark(state) {
      play.querySelectorAll("[data-when]").forEach((part) => (part.hidden = part.dataset.when !== state));
    }

    function pause() {
      clearInterval(timer);
      timer = 0;
      mark("paused");
    }

    function toggle() {
      if (timer) return pause();
      show(now === last ? 1 : now + 1);
      mark("playing");
      timer = setInterval(() => {
        if (!root.isConnected) return pause();
        if (now < last) show(now + 1);
        if (now === last) pause();
      }, PACE);
    }

    const moves = {
      first: () => show(1),
      previous: () => show(now - 1),
      next: () => show(now + 1),
      last: () => show(last),
    };
    function go(name) {
      if (name === "play") return toggle();
      pause();
      moves[name]();
    }

    root.addEventListener("click", (event) => {
      const to = event.target.closest("[data-to]");
      const step = event.target.closest("[data-go]");
      if (to) go(to.dataset.to);
      else if (step) {
        pause();
        show(Number(step.dataset.go), false);
      }
    });
    range.addEventListener("input", () => {
      pause();
      show(Number(range.value));
    });
    const keys = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last", " ": "play" };
    document.addEventListener("keydown", (event) => {
      const own = event.target.closest("input, textarea, select, summary, a");
      const button = event.target.closest("button") && event.key === " ";
      if (!root.isConnected || own || button || event.ctrlKey || event.altKey || event.metaKey) return;
      if (keys[event.key]) {
        event.preventDefault();
        go(keys[event.key]);
      }
    });
    root.classList.add("playing");
    if (last) show(last);
  }

  const startAll = () => document.querySelectorAll("[data-player]").forEach(start);
  startAll();
  document.addEventListener("htmx:load", startAll);
})();
