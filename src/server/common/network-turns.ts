import { createFairShare, type FairShare, type Places, type EntryOptions } from '../platform/fair-share.ts'
import { originNow } from '../platform/tenant.ts'

/**
 * Lets the accounts of each network take turns at its own few places, before the network takes its turns with others: anyone can register
 * accounts, so a hundred accounts must not get a hundred turns. Waiting here delays nobody in another network.
 * @param atOnce of one network; a tenant is an account
 */
export function createFairCrowds(atOnce: Places): FairShare['run'] {
  const crowds = new Map<string, { accounts: FairShare; requests: number }>()
  return async <T>(account: string, work: () => Promise<T>, options?: EntryOptions): Promise<T> => {
    const network = originNow()
    const crowd = crowds.get(network) ?? { accounts: createFairShare(atOnce), requests: 0 }
    crowds.set(network, crowd)
    crowd.requests += 1
    try {
      return await crowd.accounts.run(account, work, options)
    } finally {
      crowd.requests -= 1
      if (crowd.requests === 0) crowds.delete(network)
    }
  }
}
