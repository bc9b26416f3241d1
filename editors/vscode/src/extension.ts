// The extension on the desktop: the server is the program `hcl lsp`.

import { existsSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";
import { activateWith } from "./common";

export { deactivate } from "./common";

/** Returns the server: that of the settings, or the one in the extension, or the one in the search path. */
function program(context: vscode.ExtensionContext): string {
  const chosen = vscode.workspace.getConfiguration("hcl").get<string>("path");
  const inside = join(context.extensionPath, "server", process.platform === "win32" ? "hcl.exe" : "hcl");
  return chosen || (existsSync(inside) ? inside : "hcl");
}

export function activate(context: vscode.ExtensionContext): Promise<void> {
  return activateWith(context, {
    // Documents of other schemes, such as `git`, are older texts of files.
    schemes: ["file", "untitled"],
    create: (options) => new LanguageClient("hcl", "HCL", { command: program(context), args: ["lsp"] }, options),
  });
}
