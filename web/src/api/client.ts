import i18n from "i18next";
import { counted } from "./rest";

/** An answer that is no success: `status` 0 where nothing answered. The message is for people. */
export class ApiError extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly code: string,
    readonly field: string | null = null,
  ) {
    super(message);
  }
}

const signIn = new Set<() => void>();

/** Calls `listener` whenever the server asks for a key; returns what ends that. */
export function onSignIn(listener: () => void): () => void {
  signIn.add(listener);
  return () => signIn.delete(listener);
}

function faultOf(status: number, data: unknown): ApiError {
  if (status === 401) for (const listener of signIn) listener();
  const error = (data as { error?: { message?: string; code?: string; field?: string } } | null)?.error;
  return new ApiError(error?.message || `${status}`, status, error?.code ?? "unknown", error?.field ?? null);
}

/** Calls the API and returns what it answers; null without content. Raises `ApiError`. */
export const call = <T>(method: string, path: string, body?: unknown, language = i18n.language): Promise<T> =>
  counted(called<T>(method, path, body, language));

async function called<T>(method: string, path: string, body: unknown, language: string): Promise<T> {
  const headers: Record<string, string> = { "Accept-Language": language };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let response: Response;
  try {
    response = await fetch(path.startsWith("/") ? path : `/api/v1/${path}`, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      // What was sent arrives, even if the page is left in this moment.
      keepalive: method === "POST" && path.endsWith("/messages"),
    });
  } catch {
    throw new ApiError(i18n.t("error.offline"), 0, "offline");
  }
  const data = response.status === 204 ? null : await response.json().catch(() => null);
  if (!response.ok) throw faultOf(response.status, data);
  return data as T;
}

/** Sends a file and tells the share of it, 0 to 1, that has gone out. */
export function sendFile<T>(path: string, file: File, told: (share: number) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const form = new FormData();
    form.append("file", file, file.name);
    const request = new XMLHttpRequest();
    request.responseType = "text";
    request.open("POST", `/api/v1/${path}`);
    request.setRequestHeader("Accept-Language", i18n.language);
    request.upload.onprogress = (event) => told(event.lengthComputable ? event.loaded / event.total : 1);
    request.onerror = () => reject(new ApiError(i18n.t("error.offline"), 0, "offline"));
    request.onload = () => {
      let data: unknown = null;
      try {
        data = JSON.parse(request.responseText);
      } catch {
        data = null;
      }
      if (request.status < 400) resolve(data as T);
      else reject(faultOf(request.status, data));
    };
    request.send(form);
  });
}

export const id = encodeURIComponent;
export const fileUrl = (file: string) => `/api/v1/files/${id(file)}/download`;
