// A live table: whenever something happens there, the part that shows it is asked for anew.
// Without this script the page is as it was made, and a link reloads it.
"use strict";

(() => {
  const now = document.getElementById("now");
  const state = document.getElementById("state");
  const said = document.getElementById("said");
  const pause = document.getElementById("pause");
  let source = null;
  let position = shown().dataset.position;
  let skew = clockSkew();
  let asking = false;
  let again = false;

  function shown() {
    return now.firstElementChild;
  }

  // How far this machine's clock is ahead of the service's.
  function clockSkew() {
    return Date.now() - Date.parse(shown().dataset.at);
  }

  // Facts that come while the part is asked for are in the next one.
  async function refresh() {
    if (asking) {
      again = true;
      return;
    }
    asking = true;
    try {
      do {
        again = false;
        await replace();
      } while (again);
    } finally {
      asking = false;
    }
  }

  async function replace() {
    const answer = await fetch(now.dataset.part, { redirect: "error" }).catch(() => null);
    if (!answer || !answer.ok) {
      stop("Not live any more: reload the page.");
      return;
    }
    const part = new DOMParser().parseFromString(await answer.text(), "text/html").body;
    const focused = now.contains(document.activeElement) ? document.activeElement.id : "";
    now.replaceChildren(...part.childNodes);
    if (focused) document.getElementById(focused)?.focus();
    skew = clockSkew();
    said.textContent = shown().dataset.said;
    tick();
  }

  function tick() {
    const left = now.querySelector("[data-deadline]");
    if (!left) return;
    const seconds = Math.ceil((Date.parse(left.dataset.deadline) - Date.now() + skew) / 1000);
    left.textContent = seconds > 0 ? `, ${seconds} s left` : ", time is up";
  }

  function follow() {
    source = new EventSource(`${now.dataset.feed}?after=${position}`);
    source.onopen = () => { state.textContent = "Live: the page follows the table."; };
    source.onerror = () => {
      if (source && source.readyState === EventSource.CLOSED) stop("Not live any more: reload the page.");
      else state.textContent = "The connection was lost; trying again.";
    };
    for (const type of now.dataset.types.split(" ")) {
      source.addEventListener(type, (event) => {
        position = event.lastEventId;
        refresh();
      });
    }
    pause.textContent = "Pause";
  }

  function stop(words) {
    if (source) source.close();
    source = null;
    state.textContent = words;
    pause.textContent = "Follow again";
  }

  pause.addEventListener("click", () => {
    if (source) stop("Paused: the page stays as it is.");
    else {
      follow();
      refresh();
    }
  });
  pause.hidden = false;
  follow();
  setInterval(tick, 1000);
  tick();
})();
