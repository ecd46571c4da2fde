/** Blocks that belong together, and what they tell of. */
export type Unit<Block> = { blocks: readonly Block[]; alerts: number; properties: number }

const mostBlocks = 50
/**
 * Of all blocks as JSON. Slack says of no such limit but refuses more than about 13,200 (github.com/slackapi/bolt-js/issues/2509);
 * the text beside the blocks and what is left over need their place as well.
 */
const mostCharacters = 12_000

/** As many units as Slack takes, in their order, and behind them what says how many are left. */
export function fitting<Block>(
  head: Block,
  units: Iterable<Unit<Block>>,
  more: (left: { alerts: number; properties: number }) => Block,
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
  return isFull ? [...blocks, more(left)] : blocks
}

const sizeOf = (blocks: readonly unknown[]): number => JSON.stringify(blocks).length
