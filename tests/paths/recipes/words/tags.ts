import type { MachineWords } from './machine-words.ts'

export const tags = {
  name: ['页面标签栏', 'The bar of page tags'],
  place: [
    '登录后，从左侧菜单打开几个页面',
    'Sign in and open some pages from the menu on the left',
  ],
  starts: {
    fresh: ['刚登录，只有首页', 'Just signed in: only the home page'],
    stored: ['刷新浏览器后，之前的标签还在', 'After reloading: the earlier tags are there'],
    moved: ['用网址直接打开一个页面', 'A page is opened by its address'],
  },
  states: {
    open: ['标签可用', 'the tags can be used'],
    asking: ['询问是否放弃未保存的内容', 'asking whether to drop unsaved changes'],
  },
  events: {
    'tag.open': ['打开一个页面', 'Open a page'],
    'tag.open(a)': [
      '从菜单打开页面甲（已有标签时点标签）',
      'Open page A from the menu (or by its tag)',
    ],
    'tag.open(b)': ['从菜单打开页面乙', 'Open page B from the menu'],
    'tag.open(home)': [
      '点左上角的“{app.title}”回首页',
      'Press “{app.title}” at the top left to go home',
    ],
    'tag.open(earlier)': ['按浏览器的“后退”', 'Press “Back” in the browser'],
    'tag.open(later)': ['按浏览器的“前进”', 'Press “Forward” in the browser'],
    'tag.move': ['在页面中换到别的地址', 'Move to another address inside a page'],
    'tag.move(a)': ['在页面甲中查询（网址随之变化）', 'Search on page A (its address changes)'],
    'tag.move(kept)': ['在页面甲中查询，并可后退', 'Search on page A, so that “Back” returns'],
    'tag.move(back)': ['在页面甲中重置查询', 'Reset the search on page A'],
    'tag.move(taken)': ['从页面乙转到页面甲', 'Go from page B to page A'],
    'tag.rename': ['等页面甲的标题变化', 'Wait until the title of page A changes'],
    'tag.mark': ['改动或保存页面内容', 'Change or save what is on a page'],
    'tag.mark(dirty)': ['在页面甲中改一项，不保存', 'Change something on page A without saving'],
    'tag.mark(clean)': ['在页面甲中保存', 'Save on page A'],
    'tag.close': ['关闭一个标签', 'Close a tag'],
    'tag.close(a)': ['点页面甲标签上的“×”', 'Press the × on the tag of page A'],
    'tag.close(b)': ['点页面乙标签上的“×”', 'Press the × on the tag of page B'],
    'tag.close(home)': ['试着关闭首页标签', 'Try to close the tag of the home page'],
    'tag.close(force)': [
      '让页面甲自己关闭（如删除了所看的对象）',
      'Let page A close itself (delete what it shows)',
    ],
    'tags.closeOthers': [
      '在标签上按右键，选“{shell.closeOthers}”',
      'Right-click a tag, choose “{shell.closeOthers}”',
    ],
    'tags.closeOthers(a)': [
      '在页面甲的标签上按右键，选“{shell.closeOthers}”',
      'Right-click the tag of page A, choose “{shell.closeOthers}”',
    ],
    'tags.closeOthers(b)': [
      '在页面乙的标签上按右键，选“{shell.closeOthers}”',
      'Right-click the tag of page B, choose “{shell.closeOthers}”',
    ],
    'tags.closeAll': [
      '在标签上按右键，选“{shell.closeAll}”',
      'Right-click a tag, choose “{shell.closeAll}”',
    ],
    'tags.reset': ['退出后换一个账号登录', 'Sign out and sign in as somebody else'],
    'ask.confirm': ['在询问中按“{common.ok}”', 'Press “{common.ok}” in the question'],
    'ask.cancel': ['在询问中按“{common.cancel}”', 'Press “{common.cancel}” in the question'],
  },
  calls: {},
} as const satisfies MachineWords
