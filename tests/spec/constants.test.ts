// Section 9 of both specifications, number by number.
import { defaultTenant, limits, themeColours } from '@jiaowu/api/limits'
import { minColumnWidth } from '@jiaowu/api/fields/kinds'
import { uiTypes, uiWidths } from '@jiaowu/api/entity/enums'
import { describe, expect, it } from 'vitest'

describe('the console', () => {
  it('sets page sizes and choices', () => {
    expect([
      limits.pageSize,
      limits.hiddenPaginationSize,
      limits.lookupPageSize,
      limits.lookupPagerCount,
      defaultTenant,
    ]).toEqual([10, 1000, 10, 5, '10000'])
  })
  it('sets sizes', () => {
    expect([limits.selectionColumnWidth, limits.formLabelWidth]).toEqual([60, 150])
    const least = {
      date: 100,
      time: 100,
      datetime: 150,
      uploadImg: 120,
      richTextEditor: 102,
    } as const
    for (const uiType of uiTypes)
      expect([uiType, minColumnWidth(uiType, '四个字符')]).toEqual([
        uiType,
        uiType in least ? least[uiType as keyof typeof least] : 100,
      ])
    expect([minColumnWidth('input', '名'), minColumnWidth('input', '一二三四五六')]).toEqual([
      80, 150,
    ])
  })
  it('sets delays', () => {
    expect([
      limits.refreshThreshold,
      limits.requestTimeout,
      limits.toast,
      limits.lastingToast,
    ]).toEqual([300_000, 20_000, 1500, 5000])
  })
})

describe('the student service and the designer', () => {
  it('sets delays', () => {
    expect([
      limits.smsLock,
      limits.payWindow,
      limits.payPoll,
      limits.successPause,
      limits.clockTick,
      limits.scrollToTop,
      limits.transferTimeout,
    ]).toEqual([60_000, 180_000, 1000, 30_000, 500, 800, 300_000])
  })
  it('sets page sizes and folding', () => {
    expect([
      limits.pageSizes,
      limits.pagerCount,
      limits.collapseQueryAbove,
      limits.directRowButtons,
    ]).toEqual([[10, 20, 30, 50, 300], 7, 6, 3])
  })
  it('sets sizes and colours', () => {
    expect([limits.sidebarWidth, themeColours.length, themeColours[0], uiWidths]).toEqual([
      210,
      8,
      '#1890ff',
      [25, 33.33, 50, 75, 100],
    ])
  })
})
