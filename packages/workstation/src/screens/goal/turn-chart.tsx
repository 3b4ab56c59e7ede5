import type { ReactNode } from "react";
import type { DayOfTurns } from "../../contract/goal.ts";
import { sayCount } from "../say-count.ts";

const HEIGHT = 60;
const STEP = 10;
const BAR = 8;

const PARTS = ["charged", "open", "released"] as const;

/** Turns a day over the last month: charged, open, and those that ended with nothing to show. */
export function TurnChart({ days }: { readonly days: readonly DayOfTurns[] }): ReactNode {
  const most = Math.max(1, ...days.map(countOf));
  const sum = days.reduce((total, day) => total + countOf(day), 0);
  const [first, last] = [days.at(0)?.day ?? "", days.at(-1)?.day ?? ""];
  return (
    <figure className="chart">
      <svg viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`} role="img" aria-label={sayChart(days, sum)}>
        <line x1={0} x2={days.length * STEP} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} className="chart-line" />
        {days.map((day, index) => (
          <Day key={day.day} day={day} x={index * STEP} most={most} />
        ))}
      </svg>
      <figcaption className="faint">
        <span>{first.slice(5)}</span>
        <span>
          {PARTS.filter((part) => part === "charged" || days.some((day) => day[part] > 0)).map((part) => (
            <span key={part} className={`key key-${part}`}>
              {part === "released" ? "nothing to show" : part}
            </span>
          ))}
        </span>
        <span>{last.slice(5)}</span>
      </figcaption>
    </figure>
  );
}

interface DayProps {
  readonly day: DayOfTurns;
  readonly x: number;
  readonly most: number;
}

function Day({ day, x, most }: DayProps): ReactNode {
  let y = HEIGHT - 1;
  return (
    <g>
      <title>{`${day.day}: ${day.charged} charged, ${day.open} open, ${day.released} with nothing to show`}</title>
      <rect x={x} y={0} width={STEP} height={HEIGHT} className="chart-hit" />
      {PARTS.map((part) => {
        const height = (day[part] / most) * (HEIGHT - 4);
        y -= height;
        return <rect key={part} x={x + 1} y={y} width={BAR} height={height} className={`chart-${part}`} />;
      })}
    </g>
  );
}

function countOf(day: DayOfTurns): number {
  return day.charged + day.open + day.released;
}

function sayChart(days: readonly DayOfTurns[], sum: number): string {
  const busiest = days.reduce((best, day) => (countOf(day) > countOf(best) ? day : best), days[0] ?? NO_DAY);
  if (sum === 0) return `No turn in the last ${days.length} days`;
  return `${sayCount(sum, "turn")} in the last ${days.length} days, most on ${busiest.day}: ${countOf(busiest)}`;
}

const NO_DAY: DayOfTurns = { day: "", charged: 0, open: 0, released: 0 };
