// @vitest-environment happy-dom
import { themeColours } from '@jiaowu/api/limits'
import { beforeEach, expect, it, vi } from 'vitest'

const key = 'JIAOWU_SETTINGS'
/** As a page that is loaded anew reads them. */
async function loadSettingsAnew() {
  vi.resetModules()
  return import('./settings.ts')
}
beforeEach(() => {
  localStorage.clear()
})

it('has everything on, in the first of eight colours', async () => {
  const { getSettings } = await loadSettingsAnew()
  expect(getSettings()).toMatchObject({
    sidebarOpen: true,
    sidebarLogo: true,
    tagsView: true,
    fixedHeader: true,
    fixedSidebar: true,
    overflowTooltips: true,
    colour: '#1890ff',
  })
  expect([themeColours.length, themeColours[0]]).toEqual([8, '#1890ff'])
})
it('speaks the stored language, else the browser’s, else Chinese', async () => {
  const spoken = async (browser: string) => {
    vi.stubGlobal('navigator', { language: browser })
    try {
      return (await loadSettingsAnew()).getSettings().locale
    } finally {
      vi.unstubAllGlobals()
    }
  }
  expect([await spoken('en-GB'), await spoken('zh-TW'), await spoken('fr-FR')]).toEqual([
    'en',
    'zh-CN',
    'zh-CN',
  ])
  localStorage.setItem(key, '{"locale":"en"}')
  expect(await spoken('zh-CN')).toBe('en')
})
it('keeps what is changed, and shows it on the document', async () => {
  const { changeSettings, applySettings, getSettings } = await loadSettingsAnew()
  changeSettings({
    sidebarOpen: false,
    sidebarLogo: false,
    tagsView: false,
    fixedSidebar: false,
    fixedHeader: false,
    colour: '#f5222d',
    locale: 'en',
    theme: 'dark',
  })
  expect((await loadSettingsAnew()).getSettings()).toMatchObject({
    sidebarOpen: false,
    sidebarLogo: false,
    tagsView: false,
    fixedSidebar: false,
    fixedHeader: false,
    colour: '#f5222d',
    locale: 'en',
    theme: 'dark',
  })
  applySettings(getSettings())
  expect([
    document.documentElement.lang,
    document.documentElement.style.getPropertyValue('--accent'),
    document.documentElement.dataset.theme,
  ]).toEqual(['en', '#f5222d', 'dark'])
})
it('takes each damaged part for its default', async () => {
  for (const stored of ['{', 'null', '[]', '{"colour":"red","tagsView":"maybe","locale":5}']) {
    localStorage.setItem(key, stored)
    expect((await loadSettingsAnew()).getSettings()).toMatchObject({
      colour: '#1890ff',
      tagsView: true,
      sidebarOpen: true,
    })
  }
})
it('shows as many rows as the window holds until another number is chosen', async () => {
  const { resolveListSize } = await loadSettingsAnew()
  const sizes = (density: 'compact' | 'usual' | 'wide', listSize: 50 | null = null) =>
    [600, 900, 1080, 1440, 4000].map((height) => resolveListSize({ density, listSize }, height))
  expect(sizes('usual')).toEqual([10, 10, 20, 30, 50])
  expect(sizes('compact')).toEqual([10, 20, 20, 30, 50])
  expect(sizes('wide', 50)).toEqual([50, 50, 50, 50, 50])
})
