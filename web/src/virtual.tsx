// A list of any length: only the lines in sight exist.
import { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

interface Props {
  count: number; height: number; // of a line, in pixels
  label: string;
  header?: ComponentChildren; class?: string;
  focus?: number | null; // a line to keep in sight
  line: (i: number) => ComponentChildren;
}

export function VirtualList({ count, height, label, header, focus, line, class: name }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [range, setRange] = useState<[number, number]>([0, 40]);
  const update = () => {
    const { scrollTop, clientHeight } = box.current!;
    const first = Math.max(0, Math.floor(scrollTop / height) - 5);
    const last = first + Math.ceil(clientHeight / height) + 12;
    setRange((old) => (old[0] === first && old[1] === last ? old : [first, last]));
  };
  useLayoutEffect(update, [count]);
  useEffect(() => {
    const watch = new ResizeObserver(update);
    watch.observe(box.current!);
    return () => watch.disconnect();
  }, []);
  useLayoutEffect(() => {
    if (focus === null || focus === undefined || focus < 0) return;
    const { scrollTop, clientHeight } = box.current!, top = focus * height;
    const space = clientHeight - 3 * height; // the header stays
    if (top < scrollTop || top > scrollTop + space) box.current!.scrollTop = top - space / 2;
  }, [focus]);
  const [first, last] = range, lines = [];
  for (let i = first; i < Math.min(last, count); i++) lines.push(line(i));
  return (
    <div class={`virtual ${name ?? ""}`} ref={box} onScroll={update} tabIndex={0} role="grid" aria-label={label} aria-rowcount={count + 1}>
      {header}
      <div class="lines" role="rowgroup" style={{ height: `${count * height}px` }}>
        <div role="presentation" style={{ transform: `translateY(${first * height}px)` }}>{lines}</div>
      </div>
    </div>
  );
}
