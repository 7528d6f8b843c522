declare module 'react-transition-group'
