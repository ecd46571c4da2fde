import { ruleOf } from '../../../core/alerting/options.ts'
import type { Broken, Sound } from '../outcome.ts'
import { isNoFault, type QuestionTime, scopeInTime } from '../question-time.ts'
import { type Evaluated, ofSearchType } from '../tasks.ts'
import { soundCondition } from './conditions.ts'
import type { ConditionRow } from './conditions-store.ts'
import type { RuleScopes } from './scopes.ts'

/** A rule whose segment can't be read is broken: it must not watch everything. @throws errors that aren't any rule's fault */
export async function sortOut(
  rows: readonly ConditionRow[],
  properties: ReadonlyMap<number, Evaluated>,
  scopes: RuleScopes,
  time: QuestionTime,
): Promise<{ sound: Sound[]; broken: Broken[] }> {
  const sound: Sound[] = []
  const broken: Broken[] = []
  for (const row of rows) {
    try {
      const condition = soundCondition(row)
      const property = properties.get(row.propertyId)
      if (!property) continue
      const scope = await scopeInTime(property, time, () => scopes.of(property, condition))
      sound.push({ row, condition, scope, rule: ruleOf(String(row.id), condition), property: ofSearchType(property, condition.searchType) })
    } catch (error) {
      if (isNoFault(error)) throw error
      broken.push({ row, error })
    }
  }
  return { sound, broken }
}
