import { t as translate } from '@jiaowu/api/texts/index'
import type { Values } from '@jiaowu/api/entity/values'
import { queryOfAddress } from '@jiaowu/machines/entity-list/conditions/conditions'
import { useCallback, useMemo } from 'react'
import { useNavigate } from 'react-router-dom'
import { useTabs } from '../../app/tab-context.ts'
import { useText } from '../../app/text-context.ts'
import { EntityForm } from './entity-form.tsx'
import { formatRecordTitle } from './titled.ts'
import { tellSaved } from '../../app/saved-signal.ts'
import { copyKey, paths } from '../../paths.ts'
import { findOpener } from '../../shell/navigation/openers.ts'

interface Props {
  readonly tag: string
  readonly id: string | null
  readonly search: string
  readonly inWindow: boolean
}

/**
 * A form in a tab of the console or a window of the browser (docs/spec/1-entity-console.md §2).
 * With an id it edits, without it adds.
 */
export function EntityFormPage({ tag, id, search, inWindow }: Props) {
  const { locale } = useText()
  const { closeTab, setTabTitle } = useTabs()
  const navigate = useNavigate()
  const path = `/entity/${tag}/form${search}`
  // Every other key of the query is a default of the new record.
  const defaults = useMemo((): Values => {
    const { id: _id, ...queries } = queryOfAddress(search).queries
    return queries as Values
  }, [search])
  // Scripts cannot close a window that the user opened: show the list instead.
  const close = useCallback(() => {
    if (inWindow) window.close()
    else closeTab(path)
    void navigate((inWindow ? null : findOpener(path)) ?? paths.list(tag))
  }, [closeTab, inWindow, navigate, path, tag])
  const onSaved = useCallback(() => {
    tellSaved(tag)
    close()
  }, [tag, close])
  const onNext = useCallback(() => tellSaved(tag), [tag])
  const onTitle = useCallback(
    (name: string, record: string | null) => {
      const title =
        new URLSearchParams(search).get('_title') ??
        formatRecordTitle(
          translate(locale, id === null ? 'form.addTitle' : 'form.editTitle', { name }),
          record,
        )
      if (inWindow) document.title = title
      else setTabTitle(path, title)
    },
    [id, inWindow, locale, path, search, setTabTitle],
  )
  return (
    <EntityForm
      asPage
      tag={tag}
      id={id}
      defaults={defaults}
      copyOf={new URLSearchParams(search).get(copyKey) ?? undefined}
      onSaved={onSaved}
      onNext={onNext}
      onLeft={close}
      onTitle={onTitle}
    />
  )
}
