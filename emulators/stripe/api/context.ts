import type { Form } from '../wire/form.ts'
import type { World } from '../world.ts'

/** One call of the API, its parameters decoded. */
export interface ApiCall {
  readonly world: World
  readonly params: Form
  /** The parts of the path that name objects, in order. */
  readonly ids: readonly string[]
  /** Made with the publishable key, as from a browser. */
  readonly publishable: boolean
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** `:` stands for an id. */
  readonly path: string
  /** Open to browsers, which authenticate with a client secret. */
  readonly browser?: boolean
  readonly run: (call: ApiCall, id: string) => object
}
