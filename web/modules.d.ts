// What the bundler lets us import besides scripts.
/// <reference types="vite/client" />
