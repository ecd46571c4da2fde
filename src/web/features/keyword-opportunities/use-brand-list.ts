import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { BrandList } from '../../../contract/brand.ts'
import { brandListQuery, reloadByBrand, saveBrandList } from '../../api/brand.ts'
import { failureText } from '../../api/client.ts'
import { toast } from '../../ui/overlay/toast.ts'
import { afterChange, type BrandChange, withoutChange } from './brand-change.ts'

const mutationKey = ['brand-list']
const none: BrandList = { terms: [], suggested: false }

/** A change, and of which property: another one may be on screen by the time it is saved. */
type Asked = { property: string; change: BrandChange }

/**
 * The brand list of a property, and changing it: that shows at once, and goes back when the server refuses. Changes are
 * saved one after the other, each with what the list is by then.
 */
export function useBrandList(property: string) {
  const client = useQueryClient()
  const list = useQuery(brandListQuery(property))
  const shown = (of: string): BrandList => client.getQueryData(brandListQuery(of).queryKey) ?? none
  const show = (of: string, next: BrandList) => client.setQueryData(brandListQuery(of).queryKey, next)
  const isLast = () => client.isMutating({ mutationKey }) === 1

  const { mutate } = useMutation({
    mutationKey,
    scope: { id: 'brand-list' },
    mutationFn: (asked: Asked) => saveBrandList(asked.property, shown(asked.property).terms),
    async onMutate(asked) {
      await client.cancelQueries(brandListQuery(asked.property))
      const before = shown(asked.property)
      show(asked.property, afterChange(before, asked.change))
      return before
    },
    onSuccess(saved, asked) {
      toast.success('Brand Terms Saved')
      // Of another change the answer does not know yet.
      if (isLast()) show(asked.property, saved)
    },
    async onError(error, asked, before) {
      toast.error('Brand Terms Not Saved', failureText(error, 'The brand terms could not be saved. Please try again.'))
      if (before) show(asked.property, withoutChange(shown(asked.property), asked.change, before))
    },
    async onSettled(_saved, _error, asked) {
      if (isLast()) await reloadByBrand(client, asked.property)
    },
  })

  return { list, change: (change: BrandChange) => mutate({ property, change }) }
}
