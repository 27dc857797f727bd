import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "./app/app.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "./i18n";
import { App } from "./app/App";
import { nonce } from "./app/theme";

// What stops the page from scrolling behind a dialog writes a style of its own, and looks for the nonce here.
(globalThis as { __webpack_nonce__?: string }).__webpack_nonce__ = nonce();

const root = document.getElementById("root");
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
