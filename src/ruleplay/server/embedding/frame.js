// The page in the frame: one conversation of one guest. Replies are shown as text, never as markup.
const meta = (name) => document.querySelector(`meta[name="ruleplay-${name}"]`).content;
const agent = meta("agent");
const kept = `ruleplay-guest-${agent}`;
const [said, choices, form, message] = ["said", "choices", "form", "message"].map((id) =>
  document.getElementById(id),
);
let token = meta("guest");

/** Remember the guest in this tab, where the browser lets a frame keep anything. */
function store(value) {
  try {
    sessionStorage.setItem(kept, value);
  } catch {
    // A new load is a new guest then.
  }
}

function stored() {
  try {
    return sessionStorage.getItem(kept);
  } catch {
    return null;
  }
}

function ask(path, body) {
  const headers = { Authorization: `Bearer ${token}` };
  if (body) headers["Content-Type"] = "application/json";
  const method = body ? "POST" : "GET";
  return fetch(`/embed/${encodeURIComponent(agent)}/${path}`, {
    method,
    headers,
    body: body && JSON.stringify(body),
    credentials: "omit",
  });
}

function show(text, kind = "") {
  const line = document.createElement("p");
  line.className = kind;
  line.textContent = text;
  said.append(line);
  said.scrollTop = said.scrollHeight;
  return line;
}

const WORDS = {
  en: { choose: "Choose", video: "Video", cart: "Add to cart", page: "Details" },
  fr: { choose: "Choisir", video: "Vidéo", cart: "Ajouter au panier", page: "Détails" },
  es: { choose: "Elegir", video: "Vídeo", cart: "Añadir al carrito", page: "Detalles" },
};
let shown = "";

/** Make an element; `inside` is its text or its children. */
function element(name, inside, given = {}) {
  const made = Object.assign(document.createElement(name), given);
  made.append(...[inside].flat());
  return made;
}

function link(address, text) {
  const safe = URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
  return safe ? [element("a", text, { href: address, target: "_blank", rel: "noopener noreferrer" })] : [];
}

/** Show what an agent's view has as cards, once: picture, name, price, stock, and what to do. */
function deal(view) {
  const cards = view.cards ?? [];
  const numbers = cards.map(({ number }) => number).join();
  if (!cards.length || numbers === shown) return;
  shown = numbers;
  const words = WORDS[view.language] ?? WORDS.en;
  const list = element("ul", cards.map((card) => dealt(card, words)), { className: "cards" });
  said.append(list);
}

function dealt(card, words) {
  const name = card.name || card.number;
  const price = card.price === null ? "" : `$${card.price}${card.priced_on ? ` (${card.priced_on})` : ""}`;
  const facts = [card.number, price, card.availability].filter(Boolean).join(" · ");
  const choose = element("button", words.choose, { type: "button" });
  choose.setAttribute("aria-label", `${words.choose}: ${name}`);
  choose.addEventListener("click", () => say(card.number));
  const picture = /^https:/.test(card.image ?? "") ? [element("img", [], { src: card.image, alt: "" })] : [];
  return element("li", [
    ...picture,
    element("strong", name),
    element("span", facts),
    ...link(card.video, words.video),
    ...link(card.url, words.page),
    ...link(card.cart, words.cart),
    choose,
  ]);
}

function offer(replies) {
  const buttons = replies.map((reply) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = reply;
    button.addEventListener("click", () => say(reply));
    return button;
  });
  choices.replaceChildren(...buttons);
}

async function* events(answer) {
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) {
      const fields = Object.fromEntries(
        block.split("\n").map((line) => {
          const at = line.indexOf(": ");
          return [line.slice(0, at), line.slice(at + 2)];
        }),
      );
      if (fields.event && fields.data) yield { name: fields.event, data: JSON.parse(fields.data) };
    }
  }
}

async function say(text) {
  show(text, "mine");
  offer([]);
  busy(true);
  const line = show("…");
  try {
    const answer = await ask("turns", { message: text });
    if (!answer.ok) throw new Error((await answer.json()).detail);
    await listen(answer, line);
  } catch (error) {
    line.textContent = error.message || "That did not work; try again.";
    line.className = "problem";
  }
  busy(false);
  message.focus();
}

async function listen(answer, line) {
  let told = "";
  for await (const { name, data } of events(answer)) {
    if (name === "text") line.textContent = told += data.text;
    if (name === "turn.failed") throw new Error(data.reason);
    if (name === "turn.committed") {
      const asides = (data.played.asides ?? []).map(({ text }) => text);
      line.textContent = [data.reply, ...asides].filter(Boolean).join("\n\n");
      deal(data.view);
      offer(data.view.quick_replies ?? []);
    }
    said.scrollTop = said.scrollHeight;
  }
}

function busy(now) {
  form.querySelector("button").disabled = now;
  said.setAttribute("aria-busy", String(now));
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const text = message.value.trim();
  if (!text || form.querySelector("button").disabled) return;
  message.value = "";
  say(text);
});
message.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    form.requestSubmit();
  }
});
const close = () => parent.postMessage({ ruleplay: "close" }, "*");
document.getElementById("close").addEventListener("click", close);
addEventListener("keydown", ({ key }) => key === "Escape" && close());
// Only now does Enter send what is typed.
message.disabled = false;
busy(false);

/** Go on with the guest of this tab, if the server knows it still. */
async function begin() {
  const fresh = token;
  token = stored() ?? fresh;
  let answer = await ask("session");
  if (answer.status === 401 && token !== fresh) {
    token = fresh;
    answer = await ask("session");
  }
  store(token);
  if (!answer.ok) return show((await answer.json()).detail, "problem");
  const { turns, quick_replies, cards, language } = await answer.json();
  for (const turn of turns) {
    show(turn.message, "mine");
    show(turn.reply);
  }
  deal({ cards, language });
  offer(quick_replies);
}

begin();
