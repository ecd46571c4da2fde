import { SAMPLE_SITES, sampleAccounts } from './accounts.ts'
import type { Account } from './accounts.ts'
import { createClock } from './clock.ts'
import type { Clock } from './clock.ts'
import { CallLog } from './control/call-log.ts'
import { GoogleFaults } from './control/faults.ts'
import { PropertyData } from './figures/property.ts'
import type { View } from './figures/hours.ts'
import type { ProfileName } from './figures/profiles.ts'
import { formatDay, parseDay } from './dates.ts'
import { createSigner } from './oauth/id-token.ts'
import type { IdTokenSigner } from './oauth/id-token.ts'
import { TokenStore } from './oauth/tokens.ts'
import { DEFAULT_CLIENT_ID, DEFAULT_CLIENT_SECRET, DEFAULT_QUOTAS } from './options.ts'
import type { GoogleOptions, Quotas } from './options.ts'
import { QuotaMeter } from './api/quota.ts'
import { QueryRunner } from './query/run.ts'
import type { Reply } from '../lib/http.ts'
import { openStateFile } from '../lib/state-file.ts'

/** The stand-in's entire state; handlers get it and nothing else. */
export interface World {
  readonly clientId: string
  readonly clientSecret: string
  readonly redirectUris: readonly string[] | null
  readonly accessTokenSeconds: number
  readonly codeSeconds: number
  readonly anchor: string
  readonly clock: Clock
  readonly accounts: Map<string, Account>
  readonly tokens: TokenStore
  readonly signer: IdTokenSigner
  readonly quota: QuotaMeter
  readonly faults: GoogleFaults
  readonly log: CallLog
  readonly runner: QueryRunner
  /** The dashboard's feed: what tests want it to return instead of its list, and how often it was read. */
  readonly dashboard: { reply: Reply | null; asked: number }
  /** The property with exactly that name, or undefined. Built on first use. */
  property(siteUrl: string): PropertyData | undefined
  /** All properties, whoever has access. */
  properties(): ReadonlyMap<string, { readonly profile: ProfileName | 'empty' }>
  addProperty(siteUrl: string, profile: ProfileName | 'empty', seed?: number): void
  /** What day figures currently depend on. */
  view(): View
  /** Resets to the first state, including tokens unless they are to be kept. */
  reset(keepTokens: boolean): void
}

function savedAnchor(saved: unknown): string | undefined {
  const anchor = typeof saved === 'object' && saved !== null && 'anchor' in saved ? saved.anchor : undefined
  return typeof anchor === 'string' && parseDay(anchor) !== undefined ? anchor : undefined
}

/** Opens the stand-in's world, with what an earlier one left in the state directory. */
export function createWorld(options: GoogleOptions): World {
  const clock = createClock(options.today ?? null)
  const file = openStateFile(options.stateDir ?? null, 'google.json')
  const saved = file.load()
  const anchor = options.anchor ?? savedAnchor(saved) ?? formatDay(clock.today())
  const anchorDay = parseDay(anchor)
  if (anchorDay === undefined) throw new Error(`not a date: ${anchor}`)
  const seed = options.seed ?? 1
  const quotas: Quotas = { ...DEFAULT_QUOTAS, ...options.quotas }
  const accounts = sampleAccounts()
  const recipes = new Map<string, { profile: ProfileName | 'empty'; seed: number }>()
  const built = new Map<string, PropertyData>()
  const tokens = new TokenStore(file, saved, anchor)
  // Written immediately: a later start must count incidents from the same day.
  tokens.save()
  const quota = new QuotaMeter(quotas)
  const faults = new GoogleFaults()
  const log = new CallLog()
  const dashboard: World['dashboard'] = { reply: null, asked: 0 }

  const addSamples = (): void => {
    for (const site of SAMPLE_SITES) recipes.set(site.siteUrl, { profile: site.profile, seed })
  }
  addSamples()

  return {
    clientId: options.clientId ?? DEFAULT_CLIENT_ID,
    clientSecret: options.clientSecret ?? DEFAULT_CLIENT_SECRET,
    redirectUris: options.redirectUris ?? null,
    accessTokenSeconds: options.accessTokenSeconds ?? 3599,
    codeSeconds: options.codeSeconds ?? 600,
    anchor,
    clock,
    accounts,
    tokens,
    signer: createSigner(),
    quota,
    faults,
    log,
    runner: new QueryRunner(),
    dashboard,
    property: (siteUrl) => {
      const known = built.get(siteUrl)
      const recipe = recipes.get(siteUrl)
      if (known || !recipe) return known
      const property = new PropertyData(siteUrl, recipe.profile, anchorDay, recipe.seed)
      built.set(siteUrl, property)
      return property
    },
    properties: () => recipes,
    addProperty: (siteUrl, profile, ownSeed) => {
      recipes.set(siteUrl, { profile, seed: ownSeed ?? seed })
      built.delete(siteUrl)
    },
    // Steps of ten minutes, so that paging through today's figures sees a single state.
    view: () => ({ today: clock.today(), dayShare: Math.floor(clock.dayShare() * 144) / 144 }),
    reset: (keepTokens) => {
      clock.set(options.today ?? null)
      accounts.clear()
      for (const [email, account] of sampleAccounts()) accounts.set(email, account)
      recipes.clear()
      addSamples()
      for (const [siteUrl, property] of built) {
        if (recipes.has(siteUrl)) property.reset()
        else built.delete(siteUrl)
      }
      if (!keepTokens) tokens.clear()
      quota.configure(quotas)
      faults.clear()
      log.clear()
      dashboard.reply = null
      dashboard.asked = 0
    },
  }
}
