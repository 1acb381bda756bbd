export function ViewScreen() {
  return null;
}
export function EditScreen() {
  return null;
}
export function AddScreen() {
  return null;
}
