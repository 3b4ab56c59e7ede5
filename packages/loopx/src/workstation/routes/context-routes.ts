import { LoopxError } from "@loopx/contracts";
import type { Context, Hono } from "hono";
import type { ContextPlacesAnswer } from "@loopx/workstation/contract";
import { listTraceFiles } from "../../context/trace-store-place.ts";
import type { ContextPlace } from "../context/context-place.ts";
import { answerDescribe } from "../context/describe-answer.ts";
import { listContextPlaces, type ContextPlaces, type ContextSources } from "../context/list-context-places.ts";
import { toPlaceRow } from "../context/place-row.ts";
import { answerPreview } from "../context/preview-answer.ts";
import { loadProjectAnswer } from "../context/project-answer.ts";
import { streamRun } from "../context/run-lines.ts";
import { reportRegression, reportTests } from "../context/run-reports.ts";
import { answerSearch } from "../context/search-answer.ts";
import { answerReproduction, loadTraceAnswer } from "../context/trace-answer.ts";
import { readBody } from "../read-body.ts";
import { renderDocument } from "../render-document.ts";
import type { WorkstationWorld } from "../workstation-world.ts";

/** What the context screens read. Nothing here writes: a provider is asked where somebody clicks, and only to describe itself. */
export function addContextRoutes(app: Hono, world: ContextWorld): void {
  const { ambient } = world;
  const finder = createPlaceFinder(world);

  app.get("/api/context/places", async () => renderDocument(await answerPlaces(await finder.list())));
  app.get("/api/context/places/:place", async (context) => {
    const place = await finder.load(context.req.param("place"));
    const { objective, consumer } = context.req.query();
    return renderDocument(await loadProjectAnswer(place, { objective, consumer }));
  });
  app.post("/api/context/places/:place/preview", async (context) => {
    const { test = null, ...request } = await readBody(context.req.raw);
    return renderDocument(
      await answerPreview(await loadPlace(context), { test: toText(test, "test"), request }, ambient),
    );
  });
  app.post("/api/context/places/:place/providers/describe", async (context) =>
    renderDocument(await answerDescribe(await loadPlace(context), ambient)),
  );
  app.post("/api/context/places/:place/traces/search", async (context) => {
    const filters = toFilters(await readBody(context.req.raw));
    return renderDocument(await answerSearch(await loadPlace(context), filters, ambient));
  });
  app.post("/api/context/places/:place/tests", async (context) => {
    const { filter } = await readBody(context.req.raw);
    const place = await loadPlace(context);
    return streamRun((onProgress) => reportTests(place, toWords(filter), onProgress));
  });
  app.post("/api/context/places/:place/regressions", async (context) => {
    const { filter, baseline, candidate } = await readBody(context.req.raw);
    const place = await loadPlace(context);
    const asked = {
      baseline: toText(baseline, "baseline") ?? "",
      candidate: toText(candidate, "candidate") ?? "",
      filter: toWords(filter),
    };
    return streamRun((onProgress) => reportRegression(place, asked, onProgress));
  });
  app.get("/api/context/traces/:trace", async (context) => {
    const { place } = context.req.query();
    const places = place === undefined ? (await finder.list()).places : [await finder.load(place)];
    return renderDocument(await loadTraceAnswer(context.req.param("trace"), places, ambient));
  });
  app.post("/api/context/traces/:trace/reproduce", async (context) => {
    const { place } = await readBody(context.req.raw);
    const found = await finder.load(toText(place, "place") ?? "");
    return renderDocument(await answerReproduction(context.req.param("trace"), found, ambient));
  });

  function loadPlace(context: Context): Promise<ContextPlace> {
    return finder.load(context.req.param("place") ?? "");
  }
}

type ContextWorld = ContextSources & Pick<WorkstationWorld, "changes">;

interface PlaceFinder {
  list(): Promise<ContextPlaces>;
  /** Refuses with `unknown_route`. */
  load(id: string): Promise<ContextPlace>;
}

/** A place is remembered by its id, which says where it is: each request would look through every project otherwise. */
function createPlaceFinder(world: ContextWorld): PlaceFinder {
  let known: ContextPlaces | undefined;
  const watched = new Set<string>();
  const watch = ({ traces }: ContextPlace): void => {
    if (traces === null || watched.has(traces)) return;
    watched.add(traces);
    world.changes.watch(listTraceFiles(traces).map((path) => ({ path, topics: ["traces"] })));
  };
  const find = (id: string): ContextPlace | undefined => known?.places.find((place) => place.id === id);
  const list = async (): Promise<ContextPlaces> => {
    known = await listContextPlaces(world);
    known.places.forEach(watch);
    return known;
  };
  const load = async (id: string): Promise<ContextPlace> => {
    if (find(id) === undefined) await list();
    const found = find(id);
    if (found !== undefined) return found;
    throw new LoopxError("unknown_route", {
      message: "no context project is known by this id any more",
      hint: "open the list of context projects: what was attached may be somewhere else now",
    });
  };
  return { list, load };
}

async function answerPlaces({ places, unread }: ContextPlaces): Promise<ContextPlacesAnswer> {
  return { ok: true, places: await Promise.all(places.map(toPlaceRow)), unread };
}

function toText(value: unknown, field: string): string | null {
  if (typeof value === "string" || value === null || value === undefined) return value ?? null;
  throw toFault(field, "takes a text");
}

/** What isn't given isn't searched for. */
function toFilters(body: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(body).flatMap(([field, value]) => {
      const text = toText(value, field);
      return text === null || text === "" ? [] : [[field, text] as const];
    }),
  );
}

function toWords(value: unknown): readonly string[] {
  if (value === undefined) return [];
  if (Array.isArray(value) && value.every((word) => typeof word === "string")) return value;
  throw toFault("filter", "takes a list of words");
}

function toFault(field: string, takes: string): LoopxError {
  return new LoopxError("invalid_value", { message: `${field} ${takes}`, details: { field } });
}
