/** The part of the package that we call; it ships no types. */
declare module 'fs-native-extensions' {
  /**
   * Takes an exclusive lock on the whole open file without waiting: an open-file-description lock on Linux, `flock` on
   * macOS. Both belong to this opening of the file, so a second opening in the same process is refused too, and both
   * end when the descriptor is closed. Answers whether the lock was granted.
   */
  export function tryLock(fd: number): boolean;
}
