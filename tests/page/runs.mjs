// The runs that the tests look at, made by the program itself.
import { execFileSync, spawn } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** 1 means that rows fail, which they shall. */
export function assay(program, words, cwd, fine = [0, 1, 3]) {
  try {
    return execFileSync(program, words, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1 << 28 });
  } catch (error) {
    if (!fine.includes(error.status)) throw error;
    return error.stdout;
  }
}

/** A TensorFlow graph: operators one behind the other. */
function chain(names) {
  return names.map((name, i) => `node {\n  name: "${name}"\n  op: "Op"\n${i ? `  input: "${names[i - 1]}"\n` : ""}}\n`).join("");
}

/** Framework against device, with a graph for each. */
export function fusionCase(data, folder) {
  const from = join(data, "compare/fusion");
  mkdirSync(folder, { recursive: true });
  for (const side of ["golden", "my"]) {
    mkdirSync(join(folder, side), { recursive: true });
    for (const name of readdirSync(join(from, side))) copyFileSync(join(from, side, name), join(folder, side, name));
  }
  copyFileSync(join(from, "graph.json"), join(folder, "graph.json"));
  const names = new Set(readdirSync(join(from, "golden")).map((name) => name.split(".")[0]));
  writeFileSync(join(folder, "golden.pbtxt"), chain([...names]));
  return ["golden", "my", "--graph", "graph.json", "--golden-graph", "golden.pbtxt"];
}

function npyHead(length) {
  const head = `{'descr': '<f4', 'fortran_order': False, 'shape': (${length},), }`.padEnd(117) + "\n";
  return Buffer.concat([Buffer.from("\x93NUMPY\x01\x00v\x00", "latin1"), Buffer.from(head)]);
}
const npy = (values) => Buffer.concat([npyHead(values.length), Buffer.from(Float32Array.from(values).buffer)]);

/** Two files of 64 GB that are nearly all hole: nobody compares them before a click. */
export function endlessCase(folder) {
  mkdirSync(folder, { recursive: true });
  for (const side of ["golden", "target"]) {
    const path = join(folder, `${side}.npy`), count = 2 ** 34;
    writeFileSync(path, npyHead(count));
    truncateSync(path, 128 + 4 * count);
  }
}

export const HOSTILE = ["<img src=x onerror=hacked()>", "</script><script>hacked()</script>", "\"quoted\" & 'single'",
  "\u202eevil\u202c right to left", "=HYPERLINK(\"x\")", "{{template}} ${x} `y`", "\u0645\u0631\u062d\u0628\u0627"];

/** Tensors with names that try to be HTML; every one differs. */
export function hostileCase(folder) {
  for (const side of ["golden", "target"]) {
    mkdirSync(join(folder, side), { recursive: true });
    HOSTILE.forEach((name, i) => {
      const values = Array.from({ length: 64 }, (_, k) => Math.sin(k + i) + (side === "target" ? k % 7 : 0));
      writeFileSync(join(folder, side, `${name.replaceAll("/", "\u2215")}.npy`), npy(values));
    });
  }
  return ["golden", "target"];
}

/** No name of one side is on the other. */
export function onlyCase(folder) {
  for (const side of ["golden", "target"]) {
    mkdirSync(join(folder, side), { recursive: true });
    for (let i = 1; i < 4; i++) writeFileSync(join(folder, side, `${side}_${i}.npy`), npy(Array(i).fill(i)));
  }
  return ["golden", "target"];
}

/** Three blocks of four operators in a chain; the second block goes wrong. */
export function scopesCase(folder) {
  const names = [0, 1, 2].flatMap((block) => ["a", "b", "c", "d"].map((op) => `net/block${block}/${op}`));
  for (const side of ["golden", "target"]) {
    names.forEach((name, i) => {
      const path = join(folder, side, `${name}.npy`), bad = side === "target" && i >= 5;
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, npy(Array.from({ length: 64 }, (_, k) => Math.sin(k * (i + 1)) * (bad ? 1.5 : 1))));
    });
  }
  writeFileSync(join(folder, "graph.pbtxt"), chain(names));
  return ["golden", "target", "--graph", "graph.pbtxt", "--golden-graph", "graph.pbtxt"];
}

/** Three steps of two tensors; the second goes wrong at step 1. */
export function stepsCase(folder) {
  for (const side of ["golden", "target"]) {
    for (let step = 0; step < 3; step++) {
      const place = join(folder, side, `step${step}`, "rank0");
      const tensors = join(place, "dump_tensor_data");
      mkdirSync(tensors, { recursive: true });
      const data = {};
      ["Module.a.Linear.forward.0", "Module.b.ReLU.forward.0"].forEach((name, i) => {
        const bad = side === "target" && i === 1 && step > 0;
        const values = Array.from({ length: 64 }, (_, k) => Math.cos(k + step) * (bad ? 1.5 : 1));
        writeFileSync(join(tensors, `${name}.output.0.npy`), npy(values));
        data[name] = { output: [{ type: "torch.Tensor", dtype: "torch.float32", shape: [64], data_name: `${name}.output.0.npy` }] };
      });
      writeFileSync(join(place, "dump.json"), JSON.stringify({ task: "tensor", level: "L0", dump_data_dir: tensors, data }));
    }
  }
  return ["golden", "target"];
}

/** Starts `assay serve`; gives its address and a way to end it. */
export async function serve(program, words, cwd) {
  const child = spawn(program, ["serve", "--no-open", ...words], { cwd, stdio: ["ignore", "pipe", "pipe"] });
  const address = await new Promise((found, failed) => {
    let text = "", errors = "";
    child.stderr.on("data", (d) => { errors += d; });
    child.stdout.on("data", (d) => { text += d; if (text.includes("\n")) found(text.trim()); });
    child.on("exit", (code) => failed(new Error(`serve ended with ${code}: ${errors}`)));
  });
  const stop = (signal = "SIGINT") => new Promise((ended) => { child.on("exit", (code) => ended(code)); child.kill(signal); });
  return { address, stop };
}
