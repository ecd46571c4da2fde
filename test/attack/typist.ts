import type { AddressInfo } from 'node:net'
import { test } from 'vitest'
import { startTestApp, type TestApp, type TestAppOptions } from '../support/app.ts'
import { registered } from '../support/people.ts'
import { type Route, withRouteTable } from '../support/route-table.ts'
import type { Visitor } from '../support/visitor.ts'

/** Where support emails go. */
export const helper = 'help@agency.example'

export type Typist = {
  app: TestApp
  routes: Route[]
  port: number
  /** Signed in, on the largest plan. */
  person: Visitor
  cookie: string
  /** Uploads a file to a property with that name. */
  upload(
    property: string,
    content: string | Uint8Array,
    fileName?: string,
    headers?: Record<string, string>,
  ): Promise<{ status: number; body: unknown }>
}

/** Tests in a file that share a server and a user called typist, who sends it malicious input. */
export const typistTest = (options: TestAppOptions = {}) =>
  test.extend('typist', { scope: 'file' }, async ({}, { onCleanup }): Promise<Typist> => {
    const { started: app, routes } = await withRouteTable(() =>
      startTestApp({ today: '2026-03-18', demo: false, env: { SUPPORT_EMAIL: helper }, ...options }),
    )
    onCleanup(() => app.close())
    const person = await registered(app, 'typist')
    await (await app.stores()).sql(`UPDATE people SET plan = 'agency', plan_chosen_at = now()`)
    const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    return {
      app,
      routes,
      port: (app.server.app.server.address() as AddressInfo).port,
      person,
      cookie,
      async upload(property, content, fileName = 'figures.csv', headers = {}) {
        const form = new FormData()
        form.append('property', property)
        form.append('file', new Blob([new Uint8Array(typeof content === 'string' ? Buffer.from(content) : content)]), fileName)
        const answer = await fetch(new URL('/api/import', app.url), { method: 'POST', body: form, headers: { cookie, ...headers } })
        return { status: answer.status, body: (await answer.json()) as unknown }
      },
    }
  })
