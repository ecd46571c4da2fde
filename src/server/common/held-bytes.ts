/** Maximum number of bytes held in memory: for one requester, and for everybody together. */
export type MostHeld = { perRequester: number; together: number }

export type Held = {
  /** Holds this many more bytes, unless that would be too many: for this requester, or for everybody together. */
  more(bytes: number): 'held' | 'too many' | 'too many together'
  forget(): void
}

type Holding = { bytes: number; all: Map<object, () => void> }

/**
 * Counts the bytes that requesters make us hold in memory: each has a limit, if it holds anything else already. At the limit for everybody
 * together, whoever holds the most makes room for those who hold less: what they hold longest is given up (`giveUp`).
 */
export function limitHeld(most: MostHeld): (requester: string, giveUp: () => void) => Held {
  const holdings = new Map<string, Holding>()
  let together = 0

  const isRoomFor = (bytes: number): boolean => together === 0 || together + bytes <= most.together

  function makeRoom(bytes: number, own: number): boolean {
    while (!isRoomFor(bytes)) {
      const [largest] = [...holdings.values()].toSorted((a, b) => b.bytes - a.bytes)
      const oldest = largest?.all.values().next().value
      if (!largest || !oldest || largest.bytes <= own + bytes) return false
      oldest()
    }
    return true
  }

  return (requester, giveUp) => {
    const one = {}
    let [bytes, isOver] = [0, false]
    const forget = (): void => {
      isOver = true
      const holding = holdings.get(requester)
      if (!holding?.all.delete(one)) return
      holding.bytes -= bytes
      together -= bytes
      if (holding.all.size === 0) holdings.delete(requester)
    }
    return {
      forget,
      more(count) {
        if (isOver) return 'too many together'
        const own = holdings.get(requester)?.bytes ?? 0
        if (own > 0 && own + count > most.perRequester) return 'too many'
        if (!makeRoom(count, own)) return 'too many together'
        const holding = holdings.get(requester) ?? { bytes: 0, all: new Map<object, () => void>() }
        holdings.set(requester, holding)
        holding.all.set(one, () => {
          forget()
          giveUp()
        })
        holding.bytes += count
        together += count
        bytes += count
        return 'held'
      },
    }
  }
}
