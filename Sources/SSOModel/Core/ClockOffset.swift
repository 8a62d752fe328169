/// `+1h`, `-30m`, `+2h05m`: how far the clock was moved.
package func offsetText(_ seconds: Int) -> String {
  let size = Int(seconds.magnitude)
  let sign = seconds < 0 ? "-" : "+"
  if size < 60 { return "\(sign)\(size)s" }
  let minutes = size / 60 % 60
  if size < 3600 { return "\(sign)\(minutes)m" }
  return "\(sign)\(size / 3600)h" + (minutes == 0 ? "" : (minutes < 10 ? "0" : "") + "\(minutes)m")
}
