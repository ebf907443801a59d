// Asking: the outline lights up where the way goes, step by step, and then the page with the answer comes.
(() => {
  let events = null;

  function begin(main) {
    main.classList.add("asking");
    main.querySelectorAll("[data-node] .step, .now").forEach((old) => old.remove());
    main.querySelectorAll(".visited").forEach((line) => {
      line.classList.remove("visited", "seen", "current");
      line.removeAttribute("aria-current");
    });
    const now = document.createElement("p");
    now.className = "now";
    now.setAttribute("role", "status");
    main.querySelector(".heading").after(now);
    document.getElementById("busy").classList.add("htmx-request");
    return now;
  }

  function light(main, step) {
    const lines = step.path.map((node) => main.querySelector(`[data-node="${node}"]`)).filter(Boolean);
    const line = lines[lines.length - 1];
    main.querySelectorAll(".current").forEach((other) => other.classList.remove("current"));
    line.classList.add("visited", "seen", "current");
    const number = document.createElement("span");
    number.className = "step";
    number.textContent = step.step;
    line.append(number);
    const gentle = !matchMedia("(prefers-reduced-motion: reduce)").matches;
    line.scrollIntoView({ block: "nearest", behavior: gentle ? "smooth" : "auto" });
  }

  function ask(form, plainly) {
    const main = document.getElementById("main");
    const question = `?q=${encodeURIComponent(form.elements.q.value)}`;
    const address = form.getAttribute("action");
    const now = begin(main);
    events = new EventSource(`${address}/live${question}`);
    events.addEventListener("step", (event) => {
      const step = JSON.parse(event.data);
      light(main, step);
      now.textContent = `Step ${step.step}: ${step.told}`;
    });
    events.addEventListener("page", (event) => {
      events.close();
      history.replaceState({ htmx: true }, "");
      history.pushState({ htmx: true }, "", address + question);
      htmx.swap(document.body, JSON.parse(event.data), { swapStyle: "innerHTML", swapDelay: 0, settleDelay: 0 });
      scrollTo(0, 0);
    });
    events.addEventListener("error", () => {
      events.close(); // or the browser would ask again and again
      plainly();
    });
  }

  document.addEventListener("htmx:confirm", (event) => {
    if (events) events.close(); // whoever goes elsewhere does not wait for the answer
    if (!event.target.matches("form.ask")) return;
    event.preventDefault();
    ask(event.target, () => event.detail.issueRequest(true));
  });
})();
