import { createHash } from 'node:crypto'
import type { Compilable, CompiledQuery } from 'kysely'
import type { Db } from './open.ts'

/**
 * A query for every request: compiled once, and parsed and planned once per PostgreSQL connection. Name its columns one by one, or a
 * migration next to a running process would break it.
 * @param build builds the query; the object it gets has placeholders for the values, to be read by name and put into the query unchanged
 */
export function prepared<Given extends object, Row>(db: Db, build: (given: Given) => Compilable<Row>): (given: Given) => Promise<Row[]> {
  const places = new Map<unknown, keyof Given>()
  const marks = new Proxy({} as Given, {
    get(_, key) {
      const mark = Object.freeze({ key })
      places.set(mark, key as keyof Given)
      return mark
    },
    ownKeys() {
      throw new Error('The values of a prepared query are taken by name')
    },
  })
  const compiled = build(marks).compile()
  const keys = compiled.parameters.map((parameter) => places.get(parameter))
  const name = `q-${createHash('sha256').update(compiled.sql).digest('base64url').slice(0, 22)}`

  return async (given) => {
    const parameters = compiled.parameters.map((parameter, at) => {
      const key = keys[at]
      return key === undefined ? parameter : given[key]
    })
    // Kysely passes the statement on unchanged, and pg accepts one with a name; their types say it is text.
    const named = { name, text: compiled.sql } as unknown as string
    const query: CompiledQuery<Row> = { ...compiled, sql: named, parameters }
    return (await db.executeQuery(query)).rows
  }
}
