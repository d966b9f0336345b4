// A run as it travels: compressed, and as base64 where it is inside a file.
import { decode, Run } from "./data";
import { t } from "./words";

async function inflated(packed: Uint8Array): Promise<ArrayBuffer> {
  const stream = new Blob([packed as BlobPart]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

function fromBase64(text: string): Uint8Array {
  const native = (Uint8Array as unknown as { fromBase64?: (t: string) => Uint8Array }).fromBase64;
  if (native) return native.call(Uint8Array, text);
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return bytes;
}

/** The run inside a report file, once the file has been read to its end. */
export async function embeddedRun(): Promise<Run> {
  if (document.readyState === "loading") await new Promise((done) => addEventListener("DOMContentLoaded", done));
  const holder = document.getElementById("data");
  if (!holder) throw new Error(t("damaged", t("no_data")));
  try {
    return decode(await inflated(fromBase64(holder.textContent ?? "")));
  } catch { // browsers word this as a network error
    throw new Error(t("damaged", t("not_unpacked")));
  } finally {
    holder.remove();
  }
}

export async function receivedRun(packed: ArrayBuffer): Promise<Run> {
  return decode(await inflated(new Uint8Array(packed)));
}
