import { createFairShare, type FairShare, type Places, type Wish } from '../platform/fair-share.ts'
import { originNow } from '../platform/tenant.ts'

/**
 * Lets the accounts of each network take turns at its own few places, before the network takes its turns with others: anyone can register
 * accounts, so a hundred accounts must not get a hundred turns. Waiting here delays nobody in another network.
 * @param atOnce of one network; a tenant is an account
 */
export function createFairCrowds(atOnce: Places): FairShare['run'] {
  const crowds = new Map<string, { accounts: FairShare; wishes: number }>()
  return async <T>(account: string, work: () => Promise<T>, wish?: Wish): Promise<T> => {
    const network = originNow()
    const crowd = crowds.get(network) ?? { accounts: createFairShare(atOnce), wishes: 0 }
    crowds.set(network, crowd)
    crowd.wishes += 1
    try {
      return await crowd.accounts.run(account, work, wish)
    } finally {
      crowd.wishes -= 1
      if (crowd.wishes === 0) crowds.delete(network)
    }
  }
}
