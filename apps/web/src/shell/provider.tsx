import { Alert } from '@blueprintjs/core'
import { limits } from '@jiaowu/api/limits'
import { may } from '@jiaowu/api/entity/permission'
import { messageText, t as translate } from '@jiaowu/api/texts/index'
import type { UserInfo } from '@jiaowu/api/contract/session'
import type { TagsEvent } from '@jiaowu/machines/tags/machine'
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import type { Api } from '../app/api.ts'
import { saveFile } from '../ports/index.ts'
import { type App, AppContext, type Question } from '../app/app-context.tsx'
import { useFocusReturn } from '../ui/overlays/layers.ts'
import { useSettings } from '../app/settings.ts'
import { Toaster, useToaster } from './toaster.tsx'

interface Props {
  readonly api: Api
  readonly user: UserInfo | null
  readonly permissions: readonly string[]
  readonly sendTags: (event: TagsEvent) => void
  readonly hasUnsaved: () => boolean
  readonly reloadProfile?: () => void
  readonly children: ReactNode
}
interface Asked extends Question {
  readonly answer: (yes: boolean) => void
}

const nothing = () => {}

export function AppProvider({
  api,
  user,
  permissions,
  sendTags,
  hasUnsaved,
  reloadProfile = nothing,
  children,
}: Props) {
  const { locale } = useSettings()
  const navigate = useNavigate()
  const { show, ...toaster } = useToaster()
  const { asked, confirm, end } = useQuestion()
  useFocusReturn(asked !== null)
  const app = useMemo(
    (): App => ({
      api,
      locale,
      user,
      permissions,
      confirm,
      hasUnsaved,
      reloadProfile,
      t: ((key: Parameters<typeof translate>[1], ...params: never[]) =>
        (translate as (...args: unknown[]) => string)(locale, key, ...params)) as App['t'],
      messageText: (message) =>
        typeof message === 'string' ? message : messageText(locale, message),
      can: (code) => may(permissions, code),
      toast: (tone, text, { lasting = false, action } = {}) => {
        show({
          message: text,
          intent: tone === 'info' ? 'primary' : tone,
          timeout:
            action !== undefined ? limits.undoToast : lasting ? limits.lastingToast : limits.toast,
          ...(action === undefined ? {} : { action }),
        })
      },
      saveFile: (file, onProgress, signal) =>
        saveFile(file, translate(locale, 'attachment.zipName'), onProgress, signal),
      openTab: (path, title) => {
        sendTags({ type: 'tag.open', path, title })
        void navigate(path)
      },
      openDrawer: nothing, // WithDrawer replaces it in each view
      closeTab: (path) => sendTags({ type: 'tag.close', path, force: true }),
      moveTab: (path, to, options) => sendTags({ type: 'tag.move', path, to, ...options }),
      setTabTitle: (path, title) => sendTags({ type: 'tag.rename', path, title }),
    }),
    [api, locale, user, permissions, confirm, navigate, sendTags, hasUnsaved, reloadProfile, show],
  )
  return (
    <AppContext.Provider value={app}>
      {children}
      <Toaster {...toaster} />
      <Alert
        isOpen={asked !== null}
        intent={asked?.danger === true ? 'danger' : 'primary'}
        confirmButtonText={asked?.confirmText ?? app.t('common.ok')}
        cancelButtonText={app.t('common.cancel')}
        canEscapeKeyCancel
        onConfirm={() => end(true)}
        onCancel={() => end(false)}
        className="jw-alert"
      >
        {asked?.title === undefined ? null : <h4 className="jw-alert__title">{asked.title}</h4>}
        <p>{asked?.text}</p>
      </Alert>
    </AppContext.Provider>
  )
}

/**
 * Asks a question in an Alert and answers with a promise. Navigating away (the browser's back)
 * answers no.
 */
function useQuestion() {
  const { pathname, search } = useLocation()
  const [asked, setAsked] = useState<Asked | null>(null)
  const open = useRef<Asked | null>(null)
  const confirm = useCallback(
    (question: Question) =>
      new Promise<boolean>((answer) => {
        open.current = { ...question, answer }
        setAsked(open.current)
      }),
    [],
  )
  const end = useCallback((yes: boolean) => {
    open.current?.answer(yes)
    open.current = null
    setAsked(null)
  }, [])
  useEffect(() => () => end(false), [end, pathname, search])
  return { asked, confirm, end }
}
