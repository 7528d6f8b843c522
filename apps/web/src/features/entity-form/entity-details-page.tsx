import { t as translate } from '@jiaowu/api/texts/index'
import { useCallback } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { useTabs } from '../../app/tab-context.ts'
import { useText } from '../../app/text-context.ts'
import { EntityForm } from './entity-form.tsx'
import { formatRecordTitle } from './titled.ts'
import { paths } from '../../paths.ts'
import { findOpener } from '../../shell/navigation/openers.ts'

/** The details of a record in its own tab or window. */
export function EntityDetailsPage({
  tag,
  id,
  inWindow,
}: {
  readonly tag: string
  readonly id: string
  readonly inWindow: boolean
}) {
  const { locale } = useText()
  const { closeTab, setTabTitle } = useTabs()
  const navigate = useNavigate()
  const { search } = useLocation()
  const path = `/entity/${tag}/details${search}`
  // Scripts cannot close a window that the user opened: show the list instead.
  const close = useCallback(() => {
    if (inWindow) window.close()
    else closeTab(path)
    void navigate((inWindow ? null : findOpener(path)) ?? paths.list(tag))
  }, [closeTab, inWindow, navigate, path, tag])
  const onTitle = useCallback(
    (name: string, record: string | null) => {
      const title =
        new URLSearchParams(search).get('_title') ??
        formatRecordTitle(translate(locale, 'form.viewTitle', { name }), record)
      if (inWindow) document.title = title
      else setTabTitle(path, title)
    },
    [inWindow, locale, path, search, setTabTitle],
  )
  return (
    <EntityForm
      asPage
      viewOnly
      tag={tag}
      id={id}
      onSaved={close}
      onLeft={close}
      onTitle={onTitle}
    />
  )
}
