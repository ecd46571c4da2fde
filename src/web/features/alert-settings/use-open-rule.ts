import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import type { AlertCondition } from '../../../contract/alerts/conditions.ts'
import { propertyName } from '../../../core/accounts/property-name.ts'
import { conditionsQuery } from '../../api/alert-conditions.ts'
import { useAddress } from '../../lib/hooks/use-address.ts'
import { toast } from '../../ui/overlay/toast.ts'

const param = 'rule'

/** The open rule, kept in the URL: links can lead to it, and going back closes it. */
export function useOpenRule() {
  const [params, change] = useAddress()
  const open = useCallback((id: string) => change((before) => withRule(before, id)), [change])
  const close = useCallback(() => change((before) => withRule(before, null), { replace: true }), [change])
  return { id: params.get(param), open, close }
}
export type OpenRule = ReturnType<typeof useOpenRule>

/** Looks once more for a rule that is in the URL but not in the list; says so if it doesn't exist. */
export function useMissingRule(property: string, { id, close }: OpenRule, rules: readonly AlertCondition[] | undefined): void {
  const client = useQueryClient()
  const isMissing = id !== null && rules !== undefined && !rules.some((rule) => rule.id === id)
  useEffect(() => {
    if (!isMissing) return
    let isGone = false
    const look = async (): Promise<void> => {
      const found = await client.fetchQuery({ ...conditionsQuery(property), staleTime: 0 })
      if (isGone || found.some((rule) => rule.id === id)) return
      toast.error(
        'Rule Not Found',
        `${propertyName(property)} doesn't have this rule. It may have been deleted, or belong to another property.`,
      )
      close()
    }
    // If the look-up fails, the list says why.
    void look().catch(() => {})
    return () => {
      isGone = true
    }
  }, [isMissing, id, property, client, close])
}

function withRule(params: URLSearchParams, id: string | null): URLSearchParams {
  const next = new URLSearchParams(params)
  if (id === null) next.delete(param)
  else next.set(param, id)
  return next
}
