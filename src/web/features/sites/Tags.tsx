import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus, Tag, X } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { mostTags, type Site, siteTag } from '../../../contract/portfolio.ts'
import { propertyName } from '../../../core/accounts/property-name.ts'
import { failureText } from '../../api/client.ts'
import { editTags, saveTags, type TagEdit } from '../../api/portfolio.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button, IconButton, iconButtonClass } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Popover } from '../../ui/overlay/Popover.tsx'
import { toast } from '../../ui/overlay/toast.ts'

export type TagsProps = {
  site: Site
  /** All existing tags, to choose from. */
  known: readonly string[]
  /** Shows all sites with a tag; without it, tags are display-only. */
  onChoose?: (tag: string) => void
}

/** A site's tags, and a button to change them. */
export function Tags({ site, known, onChoose }: TagsProps) {
  return (
    <span className="relative inline-flex flex-wrap items-center gap-1">
      {site.tags.map((tag) =>
        onChoose === undefined ? (
          <Badge key={tag}>{tag}</Badge>
        ) : (
          <button
            key={tag}
            type="button"
            aria-label={`Show sites tagged ${tag}`}
            className="relative max-w-full rounded-full after:absolute after:-inset-y-2 after:inset-x-0 hover:underline"
            onClick={() => onChoose(tag)}
          >
            <Badge className="max-w-full">
              <span className="truncate">{tag}</span>
            </Badge>
          </button>
        ),
      )}
      <Popover
        label={`Tags for ${propertyName(site.name)}`}
        title="Tags"
        align="start"
        triggerClass={iconButtonClass('text-muted! lg:pointer-fine:size-6! [&_svg]:size-3.5!')}
        trigger={<Tag aria-hidden />}
      >
        <TagEditor site={site} known={known} />
      </Popover>
    </span>
  )
}

/**
 * Each edit shows at once, and is saved after earlier ones: all tags are sent, and two concurrent requests could arrive in the other order.
 * A refused edit is reverted.
 */
function TagEditor({ site: { name, tags }, known }: Omit<TagsProps, 'onChoose'>) {
  const client = useQueryClient()
  const listId = useId()
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const edit = (change: TagEdit) => editTags(client, name, change)
  const save = useMutation({
    scope: { id: `tags of ${name}` },
    onMutate: edit,
    mutationFn: async (change: TagEdit) => saveTags(name, await edit(change)),
    onError: async (error, change) => {
      toast.error('Tags Not Saved', failureText(error))
      await edit({ ...change, isThere: !change.isThere })
    },
  })
  const isFull = tags.length >= mostTags

  function add(event: FormEvent) {
    event.preventDefault()
    const read = siteTag.safeParse(text)
    if (!read.success) return setProblem(read.error.issues[0]?.message)
    const wanted = read.data.toLowerCase()
    setText('')
    if (tags.some((tag) => tag.toLowerCase() === wanted)) return
    // Uses the existing spelling, so that one tag doesn't look like two.
    save.mutate({ tag: known.find((tag) => tag.toLowerCase() === wanted) ?? read.data, at: tags.length, isThere: true })
  }

  return (
    <div className="w-64">
      {tags.length === 0 ? (
        <p className="text-sm text-muted">Use tags to group sites, for example by client or country.</p>
      ) : (
        <ul className="flex flex-wrap gap-1.5">
          {tags.map((tag, at) => (
            <li key={tag} className="inline-flex min-h-10 max-w-full items-center rounded-full bg-sunken pl-3 text-sm lg:min-h-8">
              <span className="truncate">{tag}</span>
              <IconButton
                aria-label={`Remove ${tag}`}
                className="text-muted! lg:size-8!"
                onClick={() => save.mutate({ tag, at, isThere: false })}
              >
                <X aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      {isFull ? (
        <p className="mt-3 text-sm text-muted">A site can have up to {mostTags} tags.</p>
      ) : (
        <form noValidate className="mt-3 flex items-end gap-2" onSubmit={add}>
          <div className="min-w-0 flex-1">
            <Field
              label="New tag"
              list={listId}
              maxLength={30}
              autoComplete="off"
              value={text}
              error={problem}
              onChange={(event) => {
                setText(event.currentTarget.value)
                setProblem(undefined)
              }}
            />
            <datalist id={listId}>
              {known
                .filter((tag) => !tags.includes(tag))
                .map((tag) => (
                  <option key={tag} value={tag}>
                    {tag}
                  </option>
                ))}
            </datalist>
          </div>
          <Button type="submit">
            <Plus aria-hidden />
            Add
          </Button>
        </form>
      )}
    </div>
  )
}
