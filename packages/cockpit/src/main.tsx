import "./no-eval.ts";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { startTheme } from "./lib/theme.ts";
import { Boundary } from "./ui/boundary.tsx";
import { startIdentity } from "./state/identity.ts";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/parts.css";
import "./styles/shell.css";
import "./styles/content.css";
import "./styles/question.css";
import "./styles/fold.css";
import "./styles/panels.css";
import "./styles/session.css";
import "./styles/session-head.css";
import "./styles/lists.css";

startTheme();
startIdentity();
const root = document.getElementById("root");
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <Boundary>
        <App />
      </Boundary>
    </StrictMode>,
  );
