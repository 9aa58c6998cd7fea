// Puts an agent of this server on a page:
//   <script async src="https://SERVER/embed.js" data-agent="parts" data-title="Ask us"></script>
// The frame is the server's own page, so that nothing of it can be read or styled from outside.
(() => {
  const script = document.currentScript;
  if (!script?.dataset.agent) return;
  const { agent, title = "Chat", width = "380px", height = "560px" } = script.dataset;
  const server = new URL(script.src).origin;
  const frame = document.createElement("iframe");
  frame.src = `${server}/embed/${encodeURIComponent(agent)}`;
  frame.title = title;
  frame.referrerPolicy = "origin";
  frame.loading = "lazy";
  frame.hidden = true;
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = title;
  button.setAttribute("aria-expanded", "false");
  const corner = { position: "fixed", right: "16px", zIndex: "2147483000" };
  Object.assign(button.style, corner, {
    bottom: "16px",
    padding: "10px 16px",
    border: "1px solid #0003",
    borderRadius: "999px",
    background: "#fff",
    color: "#111",
    font: "600 15px/1.2 system-ui, sans-serif",
    cursor: "pointer",
  });
  Object.assign(frame.style, corner, {
    bottom: "64px",
    width: `min(${width}, calc(100vw - 32px))`,
    height: `min(${height}, calc(100vh - 96px))`,
    border: "1px solid #0003",
    borderRadius: "12px",
    background: "Canvas",
  });
  const show = (open) => {
    frame.hidden = !open;
    button.setAttribute("aria-expanded", String(open));
    if (open) frame.focus();
    else button.focus();
  };
  button.addEventListener("click", () => show(frame.hidden));
  // Only the frame itself, and only as the server's own page, may ask to be closed.
  addEventListener("message", ({ origin, source, data }) => {
    if (origin !== server || source !== frame.contentWindow) return;
    if (data?.ruleplay === "close") show(false);
  });
  const place = () => document.body.append(frame, button);
  if (document.body) place();
  else addEventListener("DOMContentLoaded", place);
})();
