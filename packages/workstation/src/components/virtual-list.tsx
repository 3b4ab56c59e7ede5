import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useEffectEvent, useRef, type ReactNode } from "react";

interface VirtualListProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  /** Of all pages; more than there are rows while further pages have not been asked for. */
  readonly total: number;
  readonly keyOf: (row: Row) => string;
  /** Pixels of a row before it is measured. */
  readonly rowHeight: number;
  readonly children: (row: Row) => ReactNode;
  /** Asked for when the last row that is there comes into view. */
  readonly onEnd?: () => void;
}

const ROWS_BEYOND = 8;

/** A list of any length: only the rows in view are in the document. It scrolls with the page. */
export function VirtualList<Row>(props: VirtualListProps<Row>): ReactNode {
  const { label, rows, total, keyOf, rowHeight, children, onEnd } = props;
  const list = useRef<HTMLUListElement>(null);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    overscan: ROWS_BEYOND,
    scrollMargin: list.current?.offsetTop ?? 0,
    getItemKey: (index) => keyOf(rows[index] as Row),
  });
  const shown = virtualizer.getVirtualItems();
  const lastShown = shown.at(-1)?.index ?? -1;
  const isAtEnd = rows.length < total && lastShown >= rows.length - 1;
  const reachEnd = useEffectEvent(() => onEnd?.());
  // Once for each end that is reached: what failed is not asked for again and again.
  useEffect(() => {
    if (isAtEnd) reachEnd();
  }, [isAtEnd, rows.length]);
  return (
    <ul ref={list} className="virtual-list" aria-label={label} style={{ height: virtualizer.getTotalSize() }}>
      {shown.map(({ index, key, start }) => (
        <li
          key={key}
          ref={virtualizer.measureElement}
          data-index={index}
          aria-setsize={total}
          aria-posinset={index + 1}
          style={{ transform: `translateY(${start - virtualizer.options.scrollMargin}px)` }}
        >
          {children(rows[index] as Row)}
        </li>
      ))}
    </ul>
  );
}
