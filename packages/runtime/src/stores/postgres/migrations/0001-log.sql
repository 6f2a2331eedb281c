-- Keys are compared byte by byte: order is the same on every machine, and an index costs no collation.
-- There are no foreign keys: every writer goes through the functions below, and appends must not pay for checks.

create table streams (
  no bigint generated always as identity primary key,
  id text collate "C" not null unique,
  root text collate "C" not null,
  parent text collate "C",
  owner text not null,
  kind text not null,
  project text,
  broadcast boolean not null,
  created_by text,
  created_at text not null,
  base_seq bigint not null,
  base_hash bytea not null,
  floor_seq bigint not null,
  floor_hash bytea not null,
  head_seq bigint not null,
  head_hash bytea not null,
  state text not null,
  rev bigint not null default 0,
  epoch bigint not null default 0,
  lease_holder text,
  lease_until timestamptz
) with (fillfactor = 50); -- room for heads to move within their page, without touching an index
create index streams_by_root on streams (root);

-- Positions are taken under the writers' lock, in blocks, so they are the order of commits.
create sequence positions as bigint;

create table events (
  pos bigint primary key,
  stream bigint not null,
  seq bigint not null,
  id text collate "C" not null unique,
  type text collate "C" not null,
  body text not null, -- the exact bytes that the hash covers, so never jsonb
  hash bytea not null,
  unique (stream, seq)
);

create table keys (
  key text collate "C" primary key,
  stream bigint not null,
  seq bigint not null
);

create table rows (
  kind text collate "C" not null,
  id text collate "C" not null,
  stream bigint not null,
  state text collate "C" not null,
  at bigint not null,
  doc text not null,
  primary key (kind, id)
) with (fillfactor = 80);
create index rows_by_time on rows (kind, at, id);
create index rows_by_state on rows (kind, state, at, id);
create index rows_by_stream on rows (stream, kind, at, id);

create table blobs (
  sha256 text collate "C" primary key,
  bytes bytea not null
);
alter table blobs alter column bytes set storage external; -- most are compressed or small: do not try again

create table blob_refs (
  stream bigint not null,
  seq bigint not null,
  sha256 text collate "C" not null,
  primary key (stream, seq, sha256)
);
create index blob_refs_by_hash on blob_refs (sha256);

create table seals (
  stream bigint not null,
  seq bigint not null,
  box bytea not null,
  primary key (stream, seq)
);

-- Processes that want to be told of commits. A notice costs every commit, so it is sent only where another listens.
create table listeners (
  writer text collate "C" primary key,
  until timestamptz not null
);

-- One writer at a time, per schema of a database, until its transaction is visible to all. The lock goes with the
-- transaction, so whoever holds it next sees everything before, and reads of `events` by position never skip.
-- Nothing here depends on other transactions' snapshots: one that idles, here or in another database, delays nobody.
create function lock_writers() returns void
language plpgsql volatile
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('fairlead writers ' || current_schema(), 0));
end
$$;

-- Says that this process listens, for a while, and how far the log is. Written seldom: not each time it is asked.
create function keep_listening(p_writer text, p_ms bigint) returns bigint
language plpgsql volatile
set search_path from current
set enable_seqscan = off
as $$
begin
  if not exists (select from listeners where writer = p_writer and until > clock_timestamp() + p_ms / 2 * interval '1 ms') then
    -- Not worth a flush: after a crash of the server all of them begin again.
    perform set_config('synchronous_commit', 'off', true);
    delete from listeners where until < clock_timestamp() - interval '1 hour';
    insert into listeners (writer, until) values (p_writer, clock_timestamp() + p_ms * interval '1 ms')
    on conflict (writer) do update set until = excluded.until;
  end if;
  return (select coalesce(max(pos), 0) from events);
end
$$;

-- How far the log is when every commit is done that may not have seen a listener made just before.
create function await_writers() returns bigint
language plpgsql volatile
set search_path from current
set enable_seqscan = off
as $$
begin
  perform lock_writers();
  return (select coalesce(max(pos), 0) from events);
end
$$;

-- Which of a refused change's streams are not as its planner saw them.
create function stale_streams(p_ids text[], p_expect bigint[], p_epochs bigint[], p_new jsonb, p_roots text[], p_revs bigint[])
returns text[]
language sql stable
set search_path from current
as $$
  select array_agg(id) from (
    select c.id from unnest(p_ids, p_expect, p_epochs) as c (id, expect, epoch) left join streams s on s.id = c.id
    where s.id is null or s.head_seq <> c.expect or s.state <> 'open' or s.epoch <> c.epoch
    union
    select s.id from jsonb_array_elements(p_new) as n join streams s on s.id = n ->> 'id'
    union
    select f.root from unnest(p_roots, p_revs) as f (root, rev) left join streams s on s.id = f.root
    where s.id is null or s.rev <> f.rev
  ) as moved
$$;

-- The whole of LogStore.commit in one call, so that a client that freezes or dies never leaves a transaction open.
-- Lists are parallel; those whose items hold no newline come as lines, which are cheaper to write and to split than
-- array literals. Hashes are 32 bytes each, one after another. Streams are numbered from 1: those that exist, then new ones.
-- With `p_onto` it was planned on a change that may have failed: that event must be there, and each existing stream's
-- head must have this hash.
create function commit_change(
  p_note text, p_wait_ms int,
  p_ids text[], p_expect bigint[], p_epochs bigint[], p_heads bigint[], p_head_hashes bytea,
  p_new jsonb,
  p_roots text[], p_revs bigint[],
  p_event_streams int[], p_event_seqs bigint[], p_event_ids text, p_event_types text, p_event_bodies text, p_event_hashes bytea,
  p_keys text[], p_key_streams int[], p_key_seqs bigint[],
  p_row_kinds text[], p_row_ids text[], p_row_streams int[], p_row_states text[], p_row_ats bigint[], p_row_docs text,
  p_blobs text[], p_blob_bytes bytea[], p_blob_streams int[], p_blob_seqs bigint[],
  p_seal_streams int[], p_seal_seqs bigint[], p_seal_boxes bytea[],
  p_onto text, p_onto_hashes bytea,
  out outcome text, out first_pos bigint, out stale text[], out taken jsonb
)
language plpgsql volatile
set search_path from current
set plan_cache_mode = force_generic_plan -- planned once a connection,
set enable_seqscan = off -- and so perhaps while a table is still empty: always by index
set enable_hashjoin = off
as $$
declare
  v_events int := cardinality(p_event_seqs);
  v_news int := coalesce(jsonb_array_length(p_new), 0);
  v_nos bigint[] := '{}';
  v_new_nos bigint[];
  v_count int;
begin
  -- Gives up before its client does: what the client was told has failed is not written later.
  perform set_config('lock_timeout', p_wait_ms::text, true);
  perform lock_writers();

  -- An attempt whose answer was lost may have committed. Its first event tells, because a change is written whole or
  -- not at all; the hash tells it from an id that somebody used twice.
  if v_events > 0 then
    select pos into first_pos from events
    where id = split_part(p_event_ids, E'\n', 1) and seq = p_event_seqs[1] and hash = substring(p_event_hashes from 1 for 32);
    if found then
      outcome := 'ok';
      return;
    end if;
  end if;

  if p_onto is not null and not exists (select from events where id = p_onto) then
    outcome := 'stale';
    return;
  end if;

  begin
    if cardinality(p_ids) > 0 then
      with changed as (
        update streams s
        set head_seq = c.head, head_hash = substring(p_head_hashes from c.ord::int * 32 - 31 for 32)
        from unnest(p_ids, p_expect, p_epochs, p_heads) with ordinality as c (id, expect, epoch, head, ord)
        where s.id = c.id and s.head_seq = c.expect and s.state = 'open' and (c.epoch is null or s.epoch = c.epoch)
          and (p_onto_hashes is null or s.head_hash = substring(p_onto_hashes from c.ord::int * 32 - 31 for 32))
        returning c.ord, s.no
      )
      select array_agg(no order by ord) into v_nos from changed;
      if cardinality(v_nos) is distinct from cardinality(p_ids) then
        raise sqlstate 'FL001';
      end if;
    end if;

    if v_news > 0 then
      with made as (
        insert into streams (id, root, parent, owner, kind, project, broadcast, created_by, created_at, base_seq, base_hash,
                             floor_seq, floor_hash, head_seq, head_hash, state, rev, epoch)
        select n ->> 'id', n ->> 'root', n ->> 'parent', n ->> 'owner', n ->> 'kind', n ->> 'project', (n ->> 'broadcast')::boolean,
               n ->> 'created_by', n ->> 'created_at', (n ->> 'base_seq')::bigint, decode(n ->> 'base_hash', 'hex'),
               (n ->> 'floor_seq')::bigint, decode(n ->> 'floor_hash', 'hex'),
               (n ->> 'head_seq')::bigint, decode(n ->> 'head_hash', 'hex'), n ->> 'state', (n ->> 'rev')::bigint, (n ->> 'epoch')::bigint
        from jsonb_array_elements(p_new) as n
        on conflict (id) do nothing
        returning id, no
      )
      select array_agg(m.no order by n.ord) into v_new_nos
      from jsonb_array_elements(p_new) with ordinality as n (spec, ord) join made m on m.id = n.spec ->> 'id';
      if cardinality(v_new_nos) is distinct from v_news then
        raise sqlstate 'FL001';
      end if;
      v_nos := v_nos || v_new_nos;
    end if;

    if cardinality(p_roots) > 0 then
      update streams s set rev = s.rev + 1
      from unnest(p_roots, p_revs) as f (root, rev)
      where s.id = f.root and s.rev = f.rev;
      get diagnostics v_count = row_count;
      if v_count <> cardinality(p_roots) then
        raise sqlstate 'FL001';
      end if;
    end if;

    if cardinality(p_keys) > 0 then
      insert into keys (key, stream, seq)
      select k.key, v_nos[k.stream], k.seq from unnest(p_keys, p_key_streams, p_key_seqs) as k (key, stream, seq)
      on conflict (key) do nothing;
      get diagnostics v_count = row_count;
      if v_count <> cardinality(p_keys) then
        raise sqlstate 'FL002';
      end if;
    end if;

    if v_events > 0 then
      first_pos := nextval('positions');
      perform setval('positions', first_pos + v_events - 1);
      insert into events (pos, stream, seq, id, type, body, hash)
      select first_pos + e.ord - 1, v_nos[e.stream], e.seq, e.id, e.type, e.body,
             substring(p_event_hashes from e.ord::int * 32 - 31 for 32)
      from unnest(p_event_streams, p_event_seqs, string_to_array(p_event_ids, E'\n'), string_to_array(p_event_types, E'\n'),
                  string_to_array(p_event_bodies, E'\n')) with ordinality as e (stream, seq, id, type, body, ord);
    end if;
  exception
    when sqlstate 'FL001' then
      outcome := 'stale';
      stale := stale_streams(p_ids, p_expect, p_epochs, p_new, p_roots, p_revs);
      return;
    when sqlstate 'FL002' then
      outcome := 'taken';
      select jsonb_agg(jsonb_build_object('key', k.key, 'stream', s.id, 'seq', k.seq)) into taken
      from keys k join streams s on s.no = k.stream where k.key = any (p_keys);
      return;
  end;

  if cardinality(p_row_ids) > 0 then
    insert into rows as r (kind, id, stream, state, at, doc)
    select n.kind, n.id, v_nos[n.stream], n.state, n.at, n.doc
    from unnest(p_row_kinds, p_row_ids, p_row_streams, p_row_states, p_row_ats, string_to_array(p_row_docs, E'\n'))
      as n (kind, id, stream, state, at, doc)
    on conflict (kind, id) do update
    set stream = excluded.stream, state = excluded.state, at = excluded.at, doc = excluded.doc;
  end if;

  if cardinality(p_blobs) > 0 then
    insert into blobs (sha256, bytes)
    select b.sha256, b.bytes from unnest(p_blobs, p_blob_bytes) as b (sha256, bytes)
    on conflict (sha256) do nothing;
    insert into blob_refs (stream, seq, sha256)
    select v_nos[b.stream], b.seq, b.sha256 from unnest(p_blob_streams, p_blob_seqs, p_blobs) as b (stream, seq, sha256)
    on conflict do nothing;
  end if;

  if cardinality(p_seal_seqs) > 0 then
    insert into seals (stream, seq, box)
    select v_nos[s.stream], s.seq, s.box from unnest(p_seal_streams, p_seal_seqs, p_seal_boxes) as s (stream, seq, box);
  end if;

  -- The note begins with the writer's name.
  if exists (select from listeners where writer <> split_part(p_note, ' ', 1) and until > clock_timestamp()) then
    perform pg_notify('fairlead_' || current_schema(),
                      coalesce(first_pos || ' ' || first_pos + v_events - 1, '0 0') || ' ' || p_note);
  end if;
  outcome := 'ok';
end
$$;

-- The whole of LogStore.retain in one call. The deletes, which may be long, come before the lock, so that appends go on
-- meanwhile; then the family is looked at again, and if somebody else changed it everything is taken back.
create function retain_family(
  p_note text,
  p_root text, p_rev bigint,
  p_ids text[], p_floors bigint[], p_floor_hashes bytea, p_states text[], p_heads bigint[],
  p_drop_streams text[], p_drop_from bigint[], p_drop_to bigint[]
) returns boolean
language plpgsql volatile
set search_path from current
set enable_seqscan = off
as $$
declare
  v_gone text[];
begin
  begin
    if not exists (select from streams where id = p_root and rev = p_rev) then
      raise sqlstate 'FL001';
    end if;

    delete from events e using unnest(p_drop_streams, p_drop_from, p_drop_to) as d (stream, low, high), streams s
    where s.id = d.stream and e.stream = s.no and e.seq between d.low and d.high;
    delete from seals e using unnest(p_drop_streams, p_drop_from, p_drop_to) as d (stream, low, high), streams s
    where s.id = d.stream and e.stream = s.no and e.seq between d.low and d.high;

    perform lock_writers();
    update streams set rev = rev + 1 where id = p_root and rev = p_rev;
    if not found then
      raise sqlstate 'FL001';
    end if;
    -- What was appended since is not among what is dropped: a purge must look again.
    if exists (
      select from unnest(p_ids, p_states, p_heads) as r (id, state, head) join streams s on s.id = r.id
      where r.state = 'purged' and s.head_seq <> r.head
    ) then
      raise sqlstate 'FL001';
    end if;
    update streams s
    set floor_seq = r.floor, floor_hash = substring(p_floor_hashes from r.ord::int * 32 - 31 for 32), state = r.state
    from unnest(p_ids, p_floors, p_states) with ordinality as r (id, floor, state, ord)
    where s.id = r.id;
    delete from rows w using unnest(p_ids, p_states) as r (id, state), streams s
    where r.state = 'purged' and s.id = r.id and w.stream = s.no;

    with gone as (
      delete from blob_refs e using unnest(p_drop_streams, p_drop_from, p_drop_to) as d (stream, low, high), streams s
      where s.id = d.stream and e.stream = s.no and e.seq between d.low and d.high
      returning e.sha256
    )
    select array_agg(distinct sha256) into v_gone from gone;
    delete from blobs b where b.sha256 = any (v_gone) and not exists (select from blob_refs e where e.sha256 = b.sha256);

    -- Always: it is rare, and no position would tell those who were not told.
    perform pg_notify('fairlead_' || current_schema(), '0 0 ' || p_note);
    return true;
  exception
    when sqlstate 'FL001' then
      -- Nothing to do when it is as asked already: by an attempt whose answer was lost, or by somebody with the same wish.
      return not exists (
        select from unnest(p_ids, p_floors, p_states) as r (id, floor, state) left join streams s on s.id = r.id
        where s.id is null or s.floor_seq <> r.floor or s.state <> r.state
      );
  end;
end
$$;
