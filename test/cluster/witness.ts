import type { StreamId } from "@fairlead/contract";
import { decodeBody } from "../../packages/runtime/src/log/encode.ts";
import { runSql } from "../../packages/runtime/test/support/postgres.ts";
import type { Deed } from "../chaos/ledger.ts";
import type { Chronicle, Given, Seen } from "./check.ts";

/**
 * Has the database itself note who takes each lease, and who writes each event while which lease is out. By triggers, so
 * that no process under test has a say in it. Who it is tells the connection's name.
 */
export async function watchWriters(url: string): Promise<void> {
  await runSql(
    url,
    `create table public.seen_leases (no bigint generated always as identity, stream text, epoch bigint, by text);
     create table public.seen_events (pos bigint, epoch bigint, by text);
     create function public.see_lease() returns trigger language plpgsql as $$ begin
       insert into public.seen_leases (stream, epoch, by) values (new.id, new.epoch, current_setting('application_name'));
       return null; end $$;
     create function public.see_event() returns trigger language plpgsql as $$ begin
       insert into public.seen_events select new.pos, s.epoch, current_setting('application_name')
         from fairlead.streams s where s.no = new.stream;
       return null; end $$;
     create trigger see_lease after update of epoch on fairlead.streams
       for each row when (new.epoch <> old.epoch) execute function public.see_lease();
     create trigger see_event after insert on fairlead.events for each row execute function public.see_event();`,
  );
}

interface Line {
  readonly stream: StreamId;
  readonly seq: string;
  readonly epoch: string;
  readonly by: string;
  readonly body: string;
}

/** All that was seen of sessions, beside what took place outside. */
export async function whatWasSeen(url: string, deeds: readonly Deed[]): Promise<Chronicle> {
  const events = await runSql<Line>(
    url,
    `select s.id as stream, e.seq, e.body, w.epoch, w.by from fairlead.events e
     join fairlead.streams s on s.no = e.stream join public.seen_events w on w.pos = e.pos
     where s.id like 'ses\\_%' order by e.pos`,
  );
  const leases = await runSql<Omit<Given, "epoch"> & { epoch: string }>(
    url,
    "select stream, epoch, by from public.seen_leases order by no",
  );
  return {
    deeds,
    leases: leases.map((lease) => ({ ...lease, epoch: Number(lease.epoch) })),
    events: events.map(
      ({ stream, seq, body, epoch, by }) =>
        ({ ...decodeBody(stream, Number(seq), body), epoch: Number(epoch), by }) as Seen,
    ),
  };
}

/** Ends every connection of a process, as a proxy or a failing network does. */
export async function cutConnections(url: string, by: string): Promise<void> {
  await runSql(url, "select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1", [
    by,
  ]);
}

/** How many turns have come to an end. */
export async function endedTurns(url: string): Promise<number> {
  const [row] = await runSql<{ count: string }>(
    url,
    "select count(*) from fairlead.events where type in ('runtime.request.completed', 'runtime.request.failed', 'runtime.request.cancelled')",
  );
  return Number(row?.count);
}
