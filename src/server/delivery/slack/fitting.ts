/** Blocks that belong together, and what they cover. */
export type Unit<Block> = { blocks: readonly Block[]; alerts: number; properties: number }

const mostBlocks = 50
/**
 * For all blocks as JSON. Slack documents no such limit but refuses more than about 13,200 (github.com/slackapi/bolt-js/issues/2509); the
 * text and the note on what is left out need room as well.
 */
const mostCharacters = 12_000

/** As many units as Slack accepts, in order, followed by how many are left out, if any. */
export function fitting<Block>(
  head: Block,
  units: Iterable<Unit<Block>>,
  more: (left: { alerts: number; properties: number }) => Block | null,
): Block[] {
  const blocks = [head]
  let characters = sizeOf([head])
  const left = { alerts: 0, properties: 0 }
  let isFull = false
  for (const unit of units) {
    characters += sizeOf(unit.blocks)
    isFull ||= blocks.length + unit.blocks.length > mostBlocks - 1 || characters > mostCharacters
    if (isFull) {
      left.alerts += unit.alerts
      left.properties += unit.properties
    } else {
      blocks.push(...unit.blocks)
    }
  }
  const last = more(left)
  return last === null ? blocks : [...blocks, last]
}

const sizeOf = (blocks: readonly unknown[]): number => JSON.stringify(blocks).length
