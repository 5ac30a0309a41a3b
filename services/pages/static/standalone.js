// Shows one step of a replay file after the other; without it all of them are below each other.
"use strict";

(() => {
  const steps = [...document.querySelectorAll(".step")];
  const slider = document.getElementById("slider");
  const said = (at) => document.getElementById(`said-${at}`).textContent;

  function show(at, remember = true) {
    const reached = Math.min(Math.max(at, 1), steps.length);
    steps.forEach((step, index) => { step.hidden = index + 1 !== reached; });
    slider.value = reached;
    slider.setAttribute("aria-valuetext", said(reached));
    if (remember) history.replaceState(null, "", `#step-${reached}`);
  }
  const now = () => Number(slider.value);
  const by = (how) => show({ first: 1, last: steps.length }[how] ?? now() + Number(how));

  document.getElementById("controls").hidden = false;
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-by]");
    if (button) by(button.dataset.by);
  });
  slider.addEventListener("input", () => show(now()));
  const KEYS = { ArrowLeft: "-1", ArrowRight: "1", Home: "first", End: "last" };
  document.addEventListener("keydown", (event) => {
    if (!KEYS[event.key] || event.target === slider || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    by(KEYS[event.key]);
  });
  const named = () => Number(/^#step-(\d+)$/.exec(location.hash)?.[1] ?? 1);
  window.addEventListener("hashchange", () => show(named(), false));
  window.addEventListener("beforeprint", () => steps.forEach((step) => { step.hidden = false; }));
  window.addEventListener("afterprint", () => show(now()));
  show(named(), false);
})();
