/** The conflicts: a card for each path that records lost, and the filter above them. */

import { compareBatches, type Duplicate, type Provenance } from '../../dataset/precedence.ts'
import type { Delivered } from '../../pipeline/delivered-records.ts'
import { printable } from '../../text/printable.ts'
import { formatNumber } from '../../text/wording.ts'
import { Versus } from './Versus.tsx'

interface FilterProps {
  duplicates: readonly Duplicate[]
  /** Why a path that someone looks for may not be here. */
  absent: string
}

export function Filter({ duplicates, absent }: FilterProps) {
  const all = duplicates.flatMap(({ kept, dropped }) => dropped.map((drop) => ({ kept, drop })))
  const distinct = (names: readonly string[]) => [...new Set(names)]
  const inOrder = (batches: readonly string[]) => distinct(batches).sort(compareBatches)
  return (
    <search>
      <div className="filter" id="filter" hidden>
        <label>
          <span>Path</span>
          <input
            type="search"
            id="by-path"
            autoComplete="off"
            placeholder={`Such as ${printable(duplicates[0]?.path ?? '')}`}
          />
        </label>
        <Choice
          id="dropped"
          label="Dropped from"
          all={inOrder(all.map(({ drop }) => drop.batch))}
        />
        <Choice id="kept" label="Kept from" all={inOrder(all.map(({ kept }) => kept.batch))} />
        <Choice id="field" label="Field" all={distinct(all.flatMap(({ drop }) => drop.fields))} />
        <button type="button" id="clear">
          Clear filters
        </button>
        <p role="status" id="found" data-absent={absent} />
      </div>
    </search>
  )
}

function Choice({ id, label, all }: { id: string; label: string; all: readonly string[] }) {
  return (
    <label>
      <span>{label}</span>
      <select id={`by-${id}`}>
        <option value="">All</option>
        {all.map((name) => (
          <option key={name} value={name}>
            {printable(name)}
          </option>
        ))}
      </select>
    </label>
  )
}

interface ConflictProps {
  duplicate: Duplicate
  records: ReadonlyMap<Provenance, Delivered>
  folder: string
}

/** A path with the record that keeps it and the records that lost it. */
export function Conflict({ duplicate: { path, kept, dropped }, records, folder }: ConflictProps) {
  const keptRecord = records.get(kept)
  return (
    <article id={path}>
      <h3>{printable(path)}</h3>
      <p>
        Kept, because it comes first: <Place folder={folder} place={kept} />
      </p>
      {dropped.map((drop) => (
        <div
          className="versus"
          key={`${drop.batch} ${drop.index}`}
          data-kept={kept.batch}
          data-dropped={drop.batch}
          data-fields={JSON.stringify(drop.fields)}
        >
          <p>
            Dropped: <Place folder={folder} place={drop} />
          </p>
          {keptRecord && records.has(drop) ? (
            <Versus
              left={[`Kept from ${kept.batch}`, keptRecord]}
              right={[`Dropped from ${drop.batch}`, records.get(drop) as Delivered]}
              fields={drop.fields}
            />
          ) : (
            <p>
              {`They differ in ${printable(drop.fields.join(', '))}. The file has changed since the build read it.`}
            </p>
          )}
        </div>
      ))}
    </article>
  )
}

function Place({ folder, place }: { folder: string; place: Provenance }) {
  const { batch, index, line } = place
  const file = `${folder}/${batch}${line === undefined ? '' : `:${line}`}`
  return (
    <>
      <span className="name">{printable(file)}</span>, record {formatNumber(index)}
    </>
  )
}
